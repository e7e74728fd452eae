import { expect, it } from "vitest";
import { queue } from "../core/gate/declared.js";
import { stage } from "./stage.js";

const waited = (...contexts: string[]) => ({
  builtAt: "2026-01-01T00:00:00Z",
  leftAt: "2026-01-01T01:00:00Z",
  reported: contexts.map((context) => ({ context, app: null })),
});

it("A2.6 case B01 a check that never reports on groups is named before anything is armed; once it does, it is armed", async () => {
  const on = await stage();
  const lint = { context: "lint", integration_id: null };
  on.github.gate = {
    ...on.github.gate,
    live: {
      read: "rules",
      rulesets: [
        {
          ruleset: { nodeId: "RRS_1", name: "main", source: "acme/shop" },
          queue,
          required_checks: [{ context: "ci", integration_id: null }, lint],
          strict: false,
        },
      ],
    },
  };
  on.github.groups = [waited("ci")];
  const refused = await on.merge();
  expect(refused).toMatchObject({
    ok: false,
    refusals: [{ code: "required_check_never_reported" }],
  });
  expect(refused.ok ? "" : refused.refusals[0]?.message).toContain("lint");
  expect(on.github.count("openPullRequest")).toBe(0);

  // Another reading is made in a minute only; a rule that no longer asks for it is seen at once.
  on.github.gate = { ...on.github.gate, live: { read: "rules", rulesets: [] } };
  expect(await on.merge()).toMatchObject({ ok: true, exit: 9 });
  expect(on.github.count("groupReports")).toBe(1);
});
