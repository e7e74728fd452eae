/** Which of an item's lanes a merge is of (A12.4). */
import { refuse, type Refusal } from "../refusals.js";

export interface LaneAtHead {
  readonly branch: string;
  readonly head: string;
  readonly integration: boolean;
}

export type SourceLane<One extends LaneAtHead> =
  | { readonly found: true; readonly lane: One | null }
  | { readonly found: false; readonly refusal: Refusal };

/**
 * The only lane; of several the one whose head is the landing's pull-request head, since checks and receipt are of that
 * commit; with none at it, the only integration lane. Otherwise the lanes are listed and somebody says which.
 */
export function sourceLane<One extends LaneAtHead>(
  item: string,
  lanes: readonly One[],
  pullRequestHead: string | null,
): SourceLane<One> {
  const [only = null, ...others] = lanes;
  if (others.length === 0) return { found: true, lane: only };
  const atHead = lanes.filter(({ head }) => head === pullRequestHead);
  const integration = lanes.filter((lane) => lane.integration);
  for (const [lane, ...more] of [atHead, integration]) {
    if (lane !== undefined && more.length === 0) return { found: true, lane };
  }
  const listed = lanes
    .map(({ branch, head, integration: is }) => `${branch} at ${head}${is ? " (integration)" : ""}`)
    .join(", ");
  const branches = lanes.map(({ branch }) => branch).join(", ");
  return {
    found: false,
    refusal: refuse(
      "lane_ambiguous",
      `${item} has several lanes here, and none is the landing's own: ${listed}.`,
      { item, lanes: branches },
    ),
  };
}
