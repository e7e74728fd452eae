/** What the tests of landing verbs share: answers of a server, and a lane in real git. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { fakeServer, startYoke, type FakeServer } from "./command.js";

const servers: FakeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

export const view = {
  item: "SHOP-1",
  phase: "pending",
  label: "waiting in GitHub",
  pullRequest: 7,
  url: "https://github.test/acme/shop/pull/7",
  candidate: "a".repeat(40),
  why: "checks run",
  checks: null,
  next: null,
  episode: 1,
  failedChecks: [],
};
export const answered = <Output extends object>(exit: number, output: Output) => ({
  ok: true,
  exit,
  output,
});
export const pending = answered(9, {
  outcome: "landing_pending",
  landing_pending: true,
  landing: view,
  next: "Wait.",
});
export const landed = answered(0, {
  outcome: "landed",
  landing_pending: false,
  landing: { ...view, phase: "closed_out" },
  receipt: { mergeCommit: "c".repeat(40), carriedBy: "c".repeat(40) },
  lane: { removed: true, why: null, next: null },
});
export const refused = {
  ok: false,
  exit: 2,
  refusals: [
    { code: "lane_dirty", exit: 2, message: "tea.txt is changed.", next: "Commit it.", seen: {} },
    { code: "qualification_missing", exit: 2, message: "None.", next: "Verify it.", seen: {} },
  ],
};

export async function serving(answers: Record<string, unknown[]>, port = 0) {
  const server = await fakeServer(answers, port);
  servers.push(server);
  return {
    server,
    start: (...args: string[]) =>
      startYoke(args, { YOKE_API_URL: server.url, YOKE_API_TOKEN: "a-token" }),
    run: (...args: string[]) =>
      startYoke(args, { YOKE_API_URL: server.url, YOKE_API_TOKEN: "a-token" }).ended,
  };
}

/** A lane in real git, as `lanes.list` would name it. */
export function laneOnDisk(branch = "lane/tea") {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "yoke-lane-")));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: path, encoding: "utf8" }).trim();
  git("init", "-q", "-b", branch);
  writeFileSync(join(path, "tea.txt"), "tea\n");
  git("add", "-A");
  git("-c", "user.name=Robin", "-c", "user.email=robin@example.org", "commit", "-qm", "Sell tea");
  const commonDir = join(path, ".git");
  const lane = { item: "SHOP-1", branch, host: hostname(), path, commonDir, remote: "origin" };
  return { path, lane, head: git("rev-parse", "HEAD"), lanes: answered(0, { lanes: [lane] }) };
}
