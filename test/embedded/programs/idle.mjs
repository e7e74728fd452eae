// Stands in for the worker: runs until it is told to stop.
import { setInterval } from "node:timers";

setInterval(() => undefined, 60_000);
process.on("SIGTERM", () => process.exit(0));
