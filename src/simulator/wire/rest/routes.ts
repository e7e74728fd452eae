/** Every route of REST that is simulated; earlier ones win. */
import { appRoutes } from "./apps.js";
import type { RestRoute } from "./call.js";
import { checkRoutes } from "./checks.js";
import { commitRoutes } from "./commits.js";
import { deliveryRoutes } from "./deliveries.js";
import { generalRoutes } from "./general.js";
import { hookRoutes } from "./hooks.js";
import { pullRoutes } from "./pulls.js";
import { refRoutes } from "./refs.js";
import { rulesetRoutes } from "./rulesets.js";
import { runRoutes } from "./runs.js";
import { statusRoutes } from "./statuses.js";
import { workflowRoutes } from "./workflows.js";

export const REST_ROUTES: readonly RestRoute[] = [
  ...generalRoutes,
  ...appRoutes,
  ...deliveryRoutes,
  ...pullRoutes,
  ...refRoutes,
  // Before the commits: their ref takes the rest of the path.
  ...statusRoutes,
  ...checkRoutes,
  ...commitRoutes,
  ...runRoutes,
  ...workflowRoutes,
  ...rulesetRoutes,
  ...hookRoutes,
];
