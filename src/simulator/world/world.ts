/**
 * The simulated GitHub without its wire. Readers (`repository`, `pullRequest`, …) answer from memory and
 * at once; whatever changes the world is a promise, runs alone, and resolves after the world has settled
 * on its consequences (queue passes, checks that conclude at once). Refusals are thrown as `Refusal`.
 */
import { WorldAccess } from "./facade/access.js";

/** Its methods are in chapters: `facade/life.ts`, `repositories.ts`, `pull-requests.ts`, `checks.ts`, `access.ts`. */
export class World extends WorldAccess {}
