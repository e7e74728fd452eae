/** Accounts that GitHub itself acts under, and rights of people. */
import type { Engine } from "./engine.js";
import type { Actor, App } from "./model.js";

export const QUEUE_BOT: Actor = { login: "github-merge-queue[bot]", type: "Bot", id: 118344674 };
export const ACTIONS_BOT: Actor = { login: "github-actions[bot]", type: "Bot", id: 41898282 };
/** Acts when nobody is named, as the admin API does. */
export const ADMIN: Actor = { login: "admin", type: "User", id: 1 };
/** A push without a credential, where the repository allows it. */
export const ANONYMOUS: Actor = { login: "anonymous", type: "User", id: 2 };

export function botOf(app: App): Actor {
  return { login: `${app.slug}[bot]`, type: "Bot", id: app.id };
}

/** Address of a commit's author on GitHub. */
export function emailOf(actor: Actor): string {
  return `${actor.id}+${actor.login}@users.noreply.github.com`;
}

/** False only for a person known to have read access. */
export function mayWrite(engine: Engine, actor: Actor): boolean {
  return engine.state.users.find((user) => user.login === actor.login)?.access !== "read";
}
