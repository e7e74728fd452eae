/** Every operation of the admin API; docs/simulator.md describes each, and a test holds it to that. */
import { accessRoutes } from "./access.js";
import { actionRoutes } from "./actions.js";
import { checkRoutes } from "./checks.js";
import { generalRoutes } from "./general.js";
import { hookRoutes } from "./hooks.js";
import { pullRoutes } from "./pulls.js";
import { repositoryRoutes } from "./repositories.js";
import type { AdminRoute } from "./route.js";
import { wireRoutes } from "./wire.js";

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  ...generalRoutes,
  ...repositoryRoutes,
  ...pullRoutes,
  ...actionRoutes,
  ...checkRoutes,
  ...accessRoutes,
  ...hookRoutes,
  ...wireRoutes,
];
