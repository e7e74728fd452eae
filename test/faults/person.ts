/** Whoever holds the item: enters commands, again after a refusal, and waits for what they promise. */
import { Refused } from "../../src/functions/context.js";
import type { Outcome } from "../../src/functions/define.js";
import { workflowId } from "../../workflows/names.js";
import { until } from "../bench/until.js";
import type { Lane, MergeOutput, Story } from "../scenarios/story.js";
import type { HolderInbox } from "./holder-inbox.js";
import type { ItemDetail } from "./outcome.js";

/** Commands a person enters, and passes of upkeep, before the landing counts as lost. */
const patience = 5;

export class Person {
  /** Codes of the refusals after which the same command was entered again. */
  readonly refusals: string[] = [];

  constructor(
    readonly story: Story,
    readonly item: string,
    readonly lane: Lane,
    /** Resolves when the servers that were killed answer again. */
    readonly up: () => Promise<void>,
  ) {}

  /** A session holds the item; its notices go to the inbox. */
  async take(inbox: HolderInbox): Promise<void> {
    const { story, item } = this;
    const { session } = await story.ok<{ session: { id: string } }>("sessions.register", {
      id: `holder of ${item}`.replaceAll(" ", "-"),
      host: story.host,
      project: story.project,
      wakeRoute: { kind: "http", url: inbox.url },
    });
    await story.ok("claim.take", { item, session: session.id });
  }

  /** Enters `yoke merge item`, and the same again after a refusal. */
  async merge(...wanted: readonly ("landing_pending" | "landed")[]): Promise<void> {
    await this.again(async () => {
      const answer = await this.enter();
      if (!answer.ok) return this.refused(answer.refusals);
      const { outcome } = answer.output;
      return wanted.some((one) => one === outcome) ? null : outcome;
    });
  }

  /** Enters `yoke merge item` once. */
  async enter(): Promise<Outcome<MergeOutput>> {
    const words = { result: "tea is sold", verification: "npm test" };
    return this.story.merge(this.item, this.lane.path, words);
  }

  /** Enters `yoke github merge-queue hold`, and the same again after a refusal. */
  async hold(): Promise<void> {
    await this.again(async () => {
      const answer = await this.story.ask("github.merge_queue.hold", { item: this.item });
      return answer.ok ? null : this.refused(answer.refusals);
    });
  }

  /** Upkeep passes until a notice of this kind is delivered. */
  async noticed(kind: string): Promise<void> {
    await this.#passes(`the notice ${kind}`, async () => {
      const answer = await this.story.ask("notices.list", { item: this.item, all: true });
      if (!answer.ok) return null;
      const { notices } = answer.output as { notices: { kind: string; deliveredAt: unknown }[] };
      return notices.some((one) => one.kind === kind && one.deliveredAt !== null) ? true : null;
    });
  }

  /** Upkeep passes until the landing is stored to be in `phase`. */
  async inPhase(phase: string): Promise<void> {
    await this.#passes(phase, async () => {
      const answer = await this.story.ask("items.detail.get", { item: this.item });
      if (!answer.ok) return null;
      const { merge_queue: queue } = answer.output as ItemDetail;
      return queue.landing?.phase === phase ? true : null;
    });
  }

  /** The checks of a lane's head end well, those of the queue's group stay held. */
  async headChecked(lane = this.lane): Promise<void> {
    const { world } = this.story.simulator;
    for (const { job, run } of world.heldJobs(this.story.repository))
      if (run.headSha === lane.head) await world.releaseJob(job.id, "pass");
    await world.idle();
  }

  /** The workflow ends once its last answer is given. */
  async ended(): Promise<void> {
    await this.up();
    const handle = this.story.temporal.workflow.getHandle(workflowId.landing(this.item));
    await until(
      "the end of the landing's workflow",
      async () => ((await handle.describe()).status.name === "RUNNING" ? null : true),
      30_000,
    );
  }

  /** `command` says why it is not done; null: it is. */
  async again(command: () => Promise<string | null>): Promise<void> {
    let last: string | null = null;
    for (let turn = 0; turn < patience; turn += 1) {
      await this.up();
      last = await command();
      if (last === null) return;
    }
    throw new Error(`${patience} times entered, and the answer is still: ${last}`);
  }

  /** In words, and counted. */
  refused(refusals: readonly { readonly code: string; readonly message: string }[]): string {
    this.refusals.push(...refusals.map(({ code }) => code));
    return refusals.map(({ code, message }) => `${code}: ${message}`).join("; ");
  }

  /** Upkeep passes, as the schedule runs them, until `look` sees `what`. */
  async #passes(what: string, look: () => Promise<true | null>): Promise<void> {
    const lookAgain = async () => {
      await this.up();
      return look();
    };
    for (let pass = 1; ; pass += 1) {
      if (!(await this.#pass()) && pass < patience) continue;
      try {
        await until(what, lookAgain, 12_000);
        return;
      } catch (error) {
        if (pass === patience) throw error;
      }
    }
  }

  /** One pass of upkeep; false when it could not read GitHub, or nobody answered: the schedule has its next one. */
  async #pass(): Promise<boolean> {
    await this.up();
    const { context, project } = this.story;
    try {
      return (await context.landings.refreshAll(project)).refreshError === null;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return false;
    }
  }
}
