/**
 * The sweep over a queue conflict and the re-entry after it: every external call fails, one at a time, in every way that
 * means something for it. Prints its table.
 */
import { reentry } from "./reentry-story.js";
import { sweptWhole } from "./swept-whole.js";

sweptWhole("a queue conflict and automatic re-entry", "A7.1 A7.2", reentry);
