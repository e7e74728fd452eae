/**
 * Refs that refuse a push: heads of queued pull requests (GH006, quirk 19) and, by option, branches with a
 * queue (GH013). The bare repository's own `update` hook reads them, so every git client meets them.
 */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Engine } from "./engine.js";
import type { Repository } from "./model.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";

/** Lines `<code> <full ref name>`. */
const FILE = "refused-refs";

const TEXT = {
  GH006: (ref: string) =>
    `GH006: Protected branch update failed for ${ref}. Branches that are queued for merging cannot be updated. To modify this branch, dequeue the associated pull request.`,
  GH013: (ref: string) =>
    `GH013: Repository rule violations found for ${ref}. Changes must be made through the merge queue`,
} as const;

const HOOK = `#!/bin/sh
# Arguments: ref, old oid, new oid. A ref that is not there yet may be made.
case "$2" in *[!0]*) ;; *) exit 0 ;; esac
while read -r code ref; do
  [ "$ref" = "$1" ] || continue
  # A queued head may be deleted: that closes its pull request.
  case "$code$3" in GH006*[!0]*) ;; GH006*) continue ;; esac
  if [ "$code" = GH006 ]; then
    echo "error: ${TEXT.GH006("$ref")}" >&2
  else
    echo "error: ${TEXT.GH013("$ref")}" >&2
  fi
  exit 1
done <"$GIT_DIR/${FILE}"
exit 0
`;

export async function installHook(repository: Repository): Promise<void> {
  const folder = join(repository.gitDir, "hooks");
  await mkdir(folder, { recursive: true });
  await writeFile(join(repository.gitDir, FILE), "");
  await writeFile(join(folder, "update"), HOOK);
  await chmod(join(folder, "update"), 0o755);
}

/** Why a ref refuses an update, or null. */
export function refusalOf(state: RepositoryState, ref: string): string | null {
  const found = refusedRefs(state).find(([, name]) => name === ref);
  return found === undefined ? null : TEXT[found[0]](ref);
}

function refusedRefs(state: RepositoryState): ["GH006" | "GH013", string][] {
  const { repository } = state;
  const own = `${repository.owner}/${repository.name}`;
  const { pushToQueuedHead, pushToQueuedBase } = repository.options;
  const queues = state.queues.filter(
    (queue) => branchRules(repository, queue.branch).mergeQueue !== null,
  );
  const heads =
    pushToQueuedHead === "locked"
      ? queues
          .flatMap((queue) => queue.entries)
          .map((entry) => state.pullRequests.find((one) => one.number === entry.pullRequest))
          .filter((one) => one?.headRepository === own)
          .map((one): ["GH006", string] => ["GH006", `refs/heads/${one?.headBranch ?? ""}`])
      : [];
  const bases =
    pushToQueuedBase === "refused"
      ? queuedBranches(state).map((branch): ["GH013", string] => ["GH013", `refs/heads/${branch}`])
      : [];
  return [...heads, ...bases];
}

/** Branches the rulesets give a queue, as far as rulesets name them. */
function queuedBranches({ repository, pullRequests }: RepositoryState): string[] {
  const named = repository.rulesets
    .flatMap((ruleset) => ruleset.include)
    .filter((pattern) => pattern.startsWith("refs/heads/"))
    .map((pattern) => pattern.slice("refs/heads/".length));
  const bases = pullRequests.map((one) => one.baseBranch);
  return [...new Set([repository.defaultBranch, ...named, ...bases])].filter(
    (branch) => branchRules(repository, branch).mergeQueue !== null,
  );
}

const written = new WeakMap<Engine, Map<number, string>>();

/** Writes the file the hook reads, when it has changed. */
export async function writeRefusedRefs(engine: Engine, state: RepositoryState): Promise<void> {
  const text = refusedRefs(state)
    .map(([code, ref]) => `${code} ${ref}\n`)
    .join("");
  const known = written.get(engine) ?? new Map<number, string>();
  written.set(engine, known);
  if (known.get(state.repository.id) === text) return;
  await writeFile(join(state.repository.gitDir, FILE), text);
  known.set(state.repository.id, text);
}
