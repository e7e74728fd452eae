/**
 * The sweep over a hold: every external call of it fails, one at a time, in every way that means something for it, of an
 * armed and of a queued pull request. Prints a table of each.
 */
import { holdOfArmed, holdOfQueued } from "./hold-story.js";
import { sweptWhole } from "./swept-whole.js";

sweptWhole("a hold of an armed pull request", "A6.2", holdOfArmed);
sweptWhole("a hold of a queued pull request", "A6.2", holdOfQueued);
