/** `yoke item-landings record`: a lane that was merged into the local gate branch, without a remote (A13.1). */
import { createGit } from "../../git/index.js";
import { call, refused } from "../call.js";
import { findLane } from "../lane.js";
import { fields, report } from "../print.js";

export async function recordItemLanding(
  item: string,
  options: { readonly lane: string; readonly gateBranch: string; readonly json?: boolean },
): Promise<void> {
  const verb = "item-landings record";
  const found = await findLane(item, options.lane);
  if (!found.ok) return report(verb, found, options, () => "");
  if (found.output.lane === null) {
    return report(verb, refused(found.output.missing), options, () => "");
  }
  const { lane } = found.output;
  const proved = await createGit().proveCarried({
    repository: lane.commonDir,
    remote: null,
    gateBranch: options.gateBranch,
    candidate: lane.head,
    credential: null,
  });
  if (!proved.ok) return report(verb, refused(proved.refusal), options, () => "");
  const outcome = await call<{ landing: Record<string, unknown> }>("item_landings.record", {
    item,
    branch: options.lane,
    candidate: lane.head,
    carriedBy: proved.proof.mergeCommit,
  });
  report(verb, outcome, options, ({ landing }) => fields(landing));
}
