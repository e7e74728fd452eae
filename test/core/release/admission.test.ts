import { describe, expect, it } from "vitest";
import { admission, openCorrection, type Member } from "../../../src/core/release/admission.js";
import { opened } from "../landing/world.js";

const landed = {
  item: "YOK-7",
  attempt: 0,
  state: { ...opened, phase: "closed_out", landed: { mergeCommit: "m", mergedAt: "t" } },
} as const;
const correction = { item: "YOK-7", attempt: 12, state: { ...opened, attempt: 12 } } as const;
const ready: Member = {
  item: "YOK-7",
  landings: [landed],
  receipt: { pullRequest: 1, mergeCommit: "m" },
  contained: true,
};

describe("admission of a deployment run", () => {
  it("A14.1 admits members that landed and are contained", () => {
    expect(admission("r1", [ready])).toEqual([]);
  });

  it("A14.1 an open attempt refuses with its pull request, armed or not", () => {
    for (const phase of ["unarmed", "pending", "held", "stopped"] as const) {
      const open = { ...correction, state: { ...correction.state, phase } };
      const refusals = admission("r1", [{ ...ready, landings: [landed, open] }]);
      expect(refusals).toMatchObject([{ code: "item_landing_open", seen: { pullRequest: "12" } }]);
      expect(refusals[0]?.next).toContain("remove-item");
    }
  });

  it("A14.1 an attempt that ended does not", () => {
    for (const phase of ["closed", "landed", "closed_out"] as const) {
      const over = { ...correction, state: { ...correction.state, phase } };
      expect(openCorrection("YOK-7", [landed, over])).toBeNull();
    }
  });

  it("A14.1 names every member that has not landed or is not contained, and an empty run", () => {
    const never = { ...ready, item: "YOK-8", receipt: null, contained: null };
    const lost = { ...ready, item: "YOK-9", contained: false };
    expect(admission("r1", [ready, never, lost]).map(({ code }) => code)).toEqual([
      "deployment_member_not_landed",
      "deployment_member_not_contained",
    ]);
    expect(admission("r1", []).map(({ code }) => code)).toEqual(["deployment_run_empty"]);
  });
});
