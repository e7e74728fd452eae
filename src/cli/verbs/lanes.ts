/** `yoke lanes register` and `yoke verify record`: what git says of a lane, given to the server. */
import { hostname } from "node:os";
import { refuse } from "../../core/refusals.js";
import { call, refused } from "../call.js";
import { findLane, readLane } from "../lane.js";
import { fields, report } from "../print.js";

interface Json {
  readonly json?: boolean;
}

export async function registerLane(
  item: string,
  options: Json & {
    readonly path: string;
    readonly remote: string;
    readonly local?: boolean;
    readonly integration?: boolean;
  },
): Promise<void> {
  const read = await readLane(options.path);
  if (!read.ok || read.output.branch === null) {
    const detached = refuse("lane_detached", `${options.path} is on no branch.`, { item });
    report("lanes register", read.ok ? refused(detached) : read, options, () => "");
    return;
  }
  const { path, commonDir, branch } = read.output;
  const remote = options.local === true ? null : options.remote;
  const outcome = await call<{ lane: Record<string, unknown> }>("lanes.register", {
    item,
    branch,
    path,
    commonDir,
    host: hostname(),
    remote,
    ...(options.integration === true ? { integration: true } : {}),
  });
  report("lanes register", outcome, options, ({ lane }) => fields(lane));
}

export async function recordVerification(
  item: string,
  options: Json & { readonly verdict: string; readonly evidence: string; readonly lane?: string },
): Promise<void> {
  const found = await findLane(item, options.lane);
  if (!found.ok) return report("verify record", found, options, () => "");
  if (found.output.lane === null) {
    return report("verify record", refused(found.output.missing), options, () => "");
  }
  const { head, tree, dirty, path } = found.output.lane;
  if (dirty.length > 0) {
    const refusal = refuse("lane_dirty", `${path} has uncommitted work: ${dirty.join(", ")}.`, {
      item,
      path,
    });
    report("verify record", refused(refusal), options, () => "");
    return;
  }
  const outcome = await call("qualifications.record", {
    item,
    commit: head,
    tree,
    verdict: options.verdict,
    evidence: options.evidence,
  });
  report("verify record", outcome, options, fields);
}
