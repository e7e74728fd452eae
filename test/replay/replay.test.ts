import { fileURLToPath } from "node:url";
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
} from "@temporalio/worker";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { describe, expect, it } from "vitest";
import { unlikeToday } from "../checkers/replays.js";
import { workflowBundle } from "../setup/bundle.js";
import { recordedHistories } from "./recorded.js";
import { textsOf, withoutMachine } from "./without-machine.js";

// What does not replay is told by the test; the runtime would warn of it as well.
const filter = makeTelemetryFilterString({ core: "ERROR" });
Runtime.install({ logger: new DefaultLogger("ERROR"), telemetryOptions: { logging: { filter } } });

const recorded = await recordedHistories();
const eventsOf = (name: RegExp) =>
  recorded
    .filter(({ workflowId }) => name.test(workflowId))
    .flatMap(({ history }) => history.events ?? []);

describe("recorded histories", () => {
  it.each(recorded)("A15.5 case E05 case E10 $workflowId replays", async (one) => {
    expect(await unlikeToday(await workflowBundle(), [one])).toEqual([]);
  });

  it("A15.5 every workflow, every way of a landing and a continue-as-new are among them", () => {
    const types = eventsOf(/./).map(
      (event) => event.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    expect(types).toEqual(expect.arrayContaining(["landing", "refresh", "upkeep"]));
    const handedOver = eventsOf(/continued\.landing/).filter(
      (event) => event.workflowExecutionContinuedAsNewEventAttributes,
    );
    expect(handedOver.length).toBeGreaterThan(0);
    const refreshes = eventsOf(/\.refresh-/);
    expect(refreshes.some((event) => event.workflowExecutionSignaledEventAttributes)).toBe(true);
    expect(refreshes.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toBe(
      true,
    );
    const texts = (name: RegExp) =>
      recorded
        .filter(({ workflowId }) => name.test(workflowId))
        .flatMap(({ history }) => textsOf(JSON.parse(historyToJSON(history))))
        .join("\n");
    for (const phase of ["stopped", "held", "closed_out"]) {
      expect(texts(/stopped-held-landed/)).toContain(`"phase":"${phase}"`);
    }
    expect(texts(/waited-for-reentry/)).toContain('"phase":"waiting_reentry"');
  });

  it("case E10 a workflow that sends its commands in another order is refused", async () => {
    const { code } = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL("another-order.ts", import.meta.url)),
      logger: new DefaultLogger("WARN"),
    });
    const landings = recorded.filter(({ workflowId }) => workflowId.includes(".landing-"));
    const refused = await unlikeToday({ code }, landings);
    expect(refused).toHaveLength(landings.length);
    for (const one of refused) expect(one).toMatch(/[Nn]ondeterminism/);
  });

  it.each(recorded)("$workflowId names no machine, no folder of its own, and no secret", (one) => {
    const texts = textsOf(JSON.parse(historyToJSON(one.history))).join("\n");
    expect(texts).toContain("worker@host");
    const words = [
      /\/(tmp|root|home|work|var|Users)\//,
      /\d+@/,
      /127\.0\.0\.1|localhost/,
      /gh[a-z]_\w{10}|github_pat_|PRIVATE KEY|postgres:\/\//,
    ];
    expect(words.flatMap((word) => word.exec(texts)?.[0] ?? [])).toEqual([]);
  });

  it("what a machine is called is replaced in payloads too", () => {
    const payload = {
      metadata: {},
      data: Buffer.from('{"path":"/tmp/x1/lane"}').toString("base64"),
    };
    const clean = withoutMachine({ identity: "7@pc", input: [payload] }, [
      ["/tmp/x1", "/lanes"],
      ["7@pc", "worker"],
    ]);
    expect(textsOf(clean)).toEqual(["worker", '{"path":"/lanes/lane"}']);
  });
});
