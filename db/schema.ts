/**
 * The tables. Invariants are named constraints, so that breaking one can be told apart (`violated` in client.ts);
 * what a constraint cannot say (append-only rows, an acyclic plan) is a trigger in `migrations/0001_guards.sql`, which
 * reports itself as a named constraint too.
 */
export { itemDependencies, itemSections, items, projectFreezes, projects } from "./schema/plan.js";
export { claims, lanes, sessions, steeringMessages } from "./schema/fleet.js";
export { landingAttempts, landings, qualifications, receipts } from "./schema/landing.js";
export {
  deploymentRunItems,
  deploymentRuns,
  itemLandings,
  territoryClaims,
} from "./schema/releases.js";
export { notices, reservations, webhookDeliveries } from "./schema/effects.js";
