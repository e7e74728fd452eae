/** Nothing is left behind of what landed: no lane, no ref of git's own errands, no request that nobody settled. */
import { access } from "node:fs/promises";
import { listLandings } from "../../db/landings.js";
import { listLanes } from "../../db/lanes.js";
import { listReservations } from "../../db/reservations.js";
import { GitDirectory } from "../../src/simulator/world/git.js";
import type { ClonedWorld, Rule } from "./world.js";

export const lanesOfLanded: Rule<ClonedWorld> = {
  name: "no lane is left of an item that was closed out",
  async violations(world) {
    const git = new GitDirectory(world.clone);
    const branches = new Set((await git.refs("refs/heads/")).map(({ name }) => name));
    const { stdout: worktrees } = await git.run(["worktree", "list", "--porcelain"]);
    const seen: string[] = [];
    for (const { item, state } of await listLandings(world.db, world)) {
      if (state.phase !== "closed_out" || world.keptLanes?.includes(item) === true) continue;
      for (const lane of await listLanes(world.db, { item })) {
        // Another lane of the item has not landed yet.
        if (lane.branch !== state.candidate?.branch) continue;
        if (lane.state === "active") seen.push(`${item}: lane ${lane.branch} is still recorded`);
        if (branches.has(`refs/heads/${lane.branch}`))
          seen.push(`${item}: branch ${lane.branch} is left`);
        if (worktrees.split("\n").includes(`worktree ${lane.path}`)) {
          seen.push(`${item}: worktree ${lane.path} is still registered`);
        }
        const folder = await access(lane.path).then(
          () => true,
          () => false,
        );
        if (folder) seen.push(`${item}: folder ${lane.path} is left`);
      }
    }
    return seen;
  },
};

/** Branches, tags and what the remotes had; git's stash and notes are a person's own. */
const ordinary = /^refs\/(heads|remotes|tags)\/|^refs\/stash$|^refs\/notes\//;

export const refsOfErrands: Rule<ClonedWorld> = {
  name: "no temporary ref is left in the repository of the lanes",
  async violations({ clone }) {
    const refs = await new GitDirectory(clone).refs("refs/");
    return refs.filter(({ name }) => !ordinary.test(name)).map(({ name }) => `${name} is left`);
  },
};

export const reservationsOfLanded: Rule = {
  name: "no request of a landing that ended is still reserved",
  async violations({ db, project }) {
    const seen: string[] = [];
    for (const { item, state } of await listLandings(db, { project })) {
      if (state.phase !== "landed" && state.phase !== "closed_out") continue;
      for (const { key, state } of await listReservations(db, { item })) {
        if (state === "reserved") seen.push(`${key} is still reserved`);
      }
    }
    return seen;
  },
};
