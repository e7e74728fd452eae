/**
 * The sweep over the rerun of a cancelled required check: every external call of it fails, one at a time, in every way
 * that means something for it. Prints its table.
 */
import { rerun } from "./rerun-story.js";
import { sweptWhole } from "./swept-whole.js";

sweptWhole("the rerun of a cancelled check", "A8.1 A8.5", rerun);
