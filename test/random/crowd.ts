/** The people of a random run: what they do to lanes, to pull requests and to the worker, and how they set things right. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { findLanding } from "../../db/landings.js";
import type { LandingPhase } from "../../src/core/landing/model.js";
import { Refused } from "../../src/functions/context.js";
import type { User } from "../../src/simulator/world/model.js";
import { Refusal } from "../../src/simulator/world/refusal.js";
import type { WorkerProcess } from "../faults/worker-process.js";
import { Story, type Lane } from "../scenarios/story.js";
import type { Action } from "./plan.js";

interface Member {
  readonly item: string;
  lane: Lane;
  /** Rounds in which it waited though no check was left to wait for. */
  waited: number;
  /** What its last `yoke merge item` was refused with. */
  refused: readonly string[];
}

/** So long a holder waits for a check that is over and did not pass; then a new commit gets new checks. */
const patience = 3;

/** Lanes that share a file conflict with each other. */
const sharedFiles = 2;

const waits = (phase: LandingPhase) => phase === "pending" || phase === "waiting_reentry";

export class Crowd {
  readonly members: Member[] = [];
  /** Stops as they were seen, by reason. */
  readonly stops = new Map<string, number>();
  readonly #story: Story;
  readonly #worker: () => WorkerProcess;
  readonly #entered: Promise<unknown>[] = [];
  readonly #seenStops = new Set<string>();

  constructor(story: Story, worker: () => WorkerProcess) {
    this.#story = story;
    this.#worker = worker;
  }

  /** Does it, or does nothing where there is nothing to do it to. */
  async act(action: Action, pick: number): Promise<void> {
    const member = this.members[pick % Math.max(1, this.members.length)];
    if (action === "add") return this.#add(pick);
    if (member === undefined) return;
    const { world, services } = this.#story.simulator;
    const { repository } = this.#story;
    switch (action) {
      case "merge":
        this.#enter(member);
        return;
      case "pass":
      case "fail":
      case "cancel": {
        const held = world.heldJobs(repository);
        const one = held[pick % Math.max(1, held.length)];
        if (one !== undefined) await world.releaseJob(one.job.id, action);
        return;
      }
      case "push":
        return this.#push(member, pick);
      case "hold":
        await this.#allowed(this.#story.ask("github.merge_queue.hold", { item: member.item }));
        return;
      case "disarm":
        return this.#onGitHub(member, (number, robin) =>
          world.disableAutoMerge(repository, number, robin),
        );
      case "close":
        return this.#onGitHub(member, (number, robin) =>
          world.closePullRequest(repository, number, robin),
        );
      case "base":
        return this.#moveBase(pick);
      case "freeze":
        return this.#freeze(pick);
      case "pass_over":
        return this.look();
      case "touch":
        return this.#touch(pick);
      case "kill":
        return this.#worker().kill();
      case "refuse":
        services.faults.add({ match: { kind: "graphql" }, status: 502 });
        return;
      case "lose":
        services.faults.add({ match: { kind: "graphql" }, cut: "after" });
        return;
    }
  }

  /** Everybody's commands have been answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#entered);
  }

  /** One pass, as the schedule runs it; one that fails has a next one. */
  async look(): Promise<void> {
    await this.#allowed(this.#story.upkeep());
    for (const { item } of this.members) await this.#noteStop(item);
  }

  async phase(item: string): Promise<LandingPhase> {
    const record = await findLanding(this.#story.context.db, { item });
    return record?.state.phase ?? "unarmed";
  }

  /** What the holder does when told: close out, or bring the lane up to date, verify it, and enter the command again. */
  async setRight(member: Member): Promise<void> {
    const phase = await this.phase(member.item);
    if (phase === "closed_out") return;
    member.waited = waits(phase) ? member.waited + 1 : 0;
    if (waits(phase)) {
      if (member.waited <= patience) return;
      // Answered behind what is under way: after a killed worker that takes seconds, and rounds take less.
      await this.#merge(member);
      if (waits(await this.phase(member.item))) await this.#push(member, 0);
      return;
    }
    if (phase !== "landed") await this.#upToDate(member);
    await this.#merge(member);
  }

  async #add(pick: number): Promise<void> {
    const shared = pick % 3 === 0;
    const file = shared ? `shared-${pick % sharedFiles}.txt` : undefined;
    const added = await this.#story.lane(`Thing ${this.members.length + 1}`, file);
    await this.#story.qualify(added.item, added.lane);
    this.members.push({ ...added, waited: 0, refused: [] });
  }

  /** The command goes on while other things happen. */
  #enter(member: Member): void {
    const asked = this.#merge(member);
    this.#entered.push(asked);
    // One that fails before it is waited for is said by `answered`, and is no loose end until then.
    asked.catch(() => undefined);
  }

  async #merge(member: Member): Promise<void> {
    const { item, lane } = member;
    const answer = await this.#allowed(this.#story.merge(item, lane.path));
    const refusals = answer?.ok === false ? answer.refusals : [];
    member.refused = refusals.map(({ code, message }) => `refused: ${code}: ${message}`);
    if (answer?.ok === true && answer.output.lane?.removed === false) {
      this.#story.keptLanes.push(item);
    }
  }

  async #push(member: Member, pick: number): Promise<void> {
    const phase = await this.phase(member.item);
    if (phase === "landed" || phase === "closed_out" || (await this.#hasMerged(member))) return;
    const { path, branch } = member.lane;
    await appendFile(join(path, `more-of-${member.item}.txt`), `${pick}\n`);
    await Story.git(path, "add", "-A");
    await Story.git(path, "commit", "-qm", `More of ${member.item}`);
    try {
      await Story.git(path, "push", "-q", "origin", branch);
    } catch {
      // GitHub locks the head of a queued pull request.
      await Story.git(path, "reset", "-q", "--hard", "HEAD~1");
      return;
    }
    member.lane = await this.#story.read(path);
    if (pick % 2 === 0) await this.#story.qualify(member.item, member.lane);
    // The new head has checks of its own to wait for, so yoke sees it before it can merge.
    if (phase === "pending") await this.#story.settle(member.item, "stopped");
  }

  /** GitHub merged it, whether or not yoke has seen that. */
  async #hasMerged({ item }: Member): Promise<boolean> {
    const { simulator, repository, context } = this.#story;
    const number = (await findLanding(context.db, { item }))?.pullRequest ?? null;
    if (number === null) return false;
    return simulator.world.pullRequest(repository, number)?.state === "MERGED";
  }

  async #onGitHub(
    { item }: Member,
    act: (number: number, robin: User) => Promise<unknown>,
  ): Promise<void> {
    const record = await findLanding(this.#story.context.db, { item });
    const [robin] = this.#story.simulator.world.users();
    if (record?.pullRequest == null || robin === undefined) return;
    await this.#allowed(act(record.pullRequest, robin));
  }

  async #moveBase(pick: number): Promise<void> {
    const { simulator, repository, byPeople } = this.#story;
    const commit = await simulator.world.commitFiles(repository, {
      branch: "main",
      files: { [`shared-${pick % sharedFiles}.txt`]: `moved ${pick}\n` },
      message: "A person's own commit",
    });
    byPeople.push(commit);
  }

  /** Whoever finds it frozen frees it. */
  async #freeze(pick: number): Promise<void> {
    const { project } = this.#story;
    const ask = { project, reason: "a random freeze", drain: pick % 2 === 0 };
    if (!(await this.unfreeze())) await this.#allowed(this.#story.ask("project.freeze", ask));
  }

  async unfreeze(): Promise<boolean> {
    const { project } = this.#story;
    const freed = await this.#allowed(this.#story.ask("project.unfreeze", { project }));
    return freed?.ok === true;
  }

  async #touch(pick: number): Promise<void> {
    const { context, project } = this.#story;
    const numbers = pick % 5 === 0 ? [999] : [1 + (pick % Math.max(1, this.members.length))];
    const times = 1 + (pick % 2);
    for (let time = 0; time < times; time += 1) {
      await this.#allowed(context.landings.touch(project, numbers));
    }
  }

  /** The lane on top of the gate branch as it is now; its own side wins where both changed. */
  async #upToDate(member: Member): Promise<void> {
    const { path, branch } = member.lane;
    await Story.fetch(path);
    await Story.git(path, "merge", "-q", "-X", "ours", "--no-edit", "origin/main");
    await Story.git(path, "push", "-q", "origin", branch);
    member.lane = await this.#story.read(path);
    await this.#story.qualify(member.item, member.lane);
  }

  async #noteStop(item: string): Promise<void> {
    const record = await findLanding(this.#story.context.db, { item });
    const stop = record?.state.stop ?? null;
    if (record === null || stop === null) return;
    const key = `${item} ${record.state.episode}`;
    if (this.#seenStops.has(key)) return;
    this.#seenStops.add(key);
    this.stops.set(stop.reason, (this.stops.get(stop.reason) ?? 0) + 1);
  }

  /** The answer; null where yoke or GitHub said no, which is theirs to say. Anything else is a failure of the run. */
  async #allowed<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof Refused || error instanceof Refusal) return null;
      throw error;
    }
  }
}
