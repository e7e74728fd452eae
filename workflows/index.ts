/** Every workflow type; the bundle of a worker is made from this file. */
export { landing } from "./landing.js";
export { refresh, upkeep } from "./upkeep.js";
export { mergeQueue } from "./merge-queue.js";
