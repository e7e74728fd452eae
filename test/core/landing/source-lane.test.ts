import { describe, expect, it } from "vitest";
import { sourceLane, type LaneAtHead } from "../../../src/core/landing/source-lane.js";

const lane = (branch: string, head: string, integration = false): LaneAtHead => ({
  branch,
  head,
  integration,
});
const [tea, milk] = [lane("lane/tea", "a1"), lane("lane/milk", "b2")];
const together = lane("lane/together", "c3", true);

describe("the source of a merge", () => {
  it.each([
    ["no lane", [], null, null],
    ["the only lane, wherever it is", [tea], "zz", tea],
    ["of several the one at the pull request's head", [tea, milk, together], "b2", milk],
    ["with none at that head the only integration lane", [tea, milk, together], "zz", together],
    ["without a landing the only integration lane", [tea, together], null, together],
  ] as const)("A12.4 is %s", (_name, lanes, head, found) => {
    expect(sourceLane("YOK-7", lanes, head)).toEqual({ found: true, lane: found });
  });

  it.each([
    ["none at the head and no integration lane", [tea, milk]],
    ["two integration lanes", [together, lane("lane/other", "d4", true)]],
  ] as const)("A12.4 is refused with the lanes for %s", (_name, lanes) => {
    const answer = sourceLane("YOK-7", lanes, "zz");
    expect(answer).toMatchObject({ found: false, refusal: { code: "lane_ambiguous" } });
    for (const { branch, head } of lanes) {
      expect(answer.found ? "" : answer.refusal.message).toContain(`${branch} at ${head}`);
    }
    expect(answer.found ? "" : answer.refusal.next).toContain("--lane");
  });
});
