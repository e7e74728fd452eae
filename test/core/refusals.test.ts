import { describe, expect, it } from "vitest";
import { catalogue, EXIT, refuse, type RefusalCode } from "../../src/core/refusals.js";
import { refusalsPage } from "../../src/core/refusals-doc.js";

const entries = Object.entries(catalogue);

describe("the catalogue of refusals", () => {
  it("every code is lower-case words (A12.3 names one otherwise), and says when and what next in whole sentences", () => {
    const wrong = entries.filter(
      ([code, { when, next }]) =>
        !(/^[a-z]+(_[a-z]+)*$/.test(code) || code === "MergeTargetStale") ||
        !/^[A-Z`].*\.$/.test(when) ||
        !/^[A-Z].*\.$/.test(next),
    );
    expect(wrong).toEqual([]);
  });

  it("every exit status is one that the command knows, and none of them is success or pending", () => {
    const failures = Object.values(EXIT).filter(
      (exit) => exit !== EXIT.ok && exit !== EXIT.pending,
    );
    for (const [, { exit }] of entries) expect(failures).toContain(exit);
  });

  it("A1.5 A6.2 only what may have happened is uncertain", () => {
    const uncertain = entries.flatMap(([code, { exit }]) =>
      exit === EXIT.uncertain ? [code] : [],
    );
    expect(uncertain).toEqual([
      "gate_rules_unconfirmed",
      "arming_uncertain",
      "hold_unconfirmed",
      "rerun_uncertain",
    ]);
  });

  it("A7.5 refused access names the rights to restore", () => {
    const { next } = refuse("github_access_refused", "403");
    expect(next).toContain("Contents: write");
    expect(next).toContain("Pull requests: write");
  });

  it("fills slots from what was seen, and reads as a usage line without it", () => {
    expect(refuse("arming_refused", "no", { item: "YOK-7" }).next).toContain(
      "`yoke merge item YOK-7`",
    );
    expect(refuse("arming_refused", "no").next).toContain("`yoke merge item ITEM`");
  });

  it("a recovery of its own replaces the standing one, and is filled too", () => {
    const refusal = refuse("landing_stopped", "It stopped.", { item: "YOK-7" }, "Rebase {item}.");
    expect(refusal).toEqual({
      code: "landing_stopped",
      exit: 2,
      message: "It stopped.",
      next: "Rebase YOK-7.",
      seen: { item: "YOK-7" },
    });
  });

  it("A1.5 the codes that scripts rely on keep their exit status", () => {
    const pinned: Partial<Record<RefusalCode, number>> = {
      landing_stopped: 2,
      integration_dependency_blocked: 2,
      integration_dependency_gate_unavailable: 2,
      input_invalid: 4,
      lane_ambiguous: 4,
      arming_uncertain: 3,
      service_unreachable: 1,
    };
    for (const [code, exit] of Object.entries(pinned)) {
      expect([code, catalogue[code as RefusalCode].exit]).toEqual([code, exit]);
    }
  });
});

describe("the page of refusals", () => {
  const page = refusalsPage();

  it("has one row for each code, and no slot left open", () => {
    for (const [code] of entries) expect(page.split(`| \`${code}\` |`)).toHaveLength(2);
    expect(page).not.toMatch(/\{\w+\}/);
  });

  it("explains every exit status and ends with one newline", () => {
    for (const exit of Object.values(EXIT)) expect(page).toContain(`| ${exit} | `);
    expect(page).toMatch(/[^\n]\n$/);
  });
});
