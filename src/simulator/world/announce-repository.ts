/** Webhooks of a repository itself: pushes, rulesets, commit statuses. */
import { ADMIN } from "./actors.js";
import type { Engine } from "./engine.js";
import { ZERO_OID } from "./git.js";
import type { Actor, CommitStatus, RefUpdate, Ruleset } from "./model.js";
import { nodeId } from "./node-ids.js";
import { pushedCommit, statusCommit } from "./payloads/commit.js";
import { linksOf, seconds } from "./payloads/links.js";
import { branchRules } from "./rules.js";
import type { RepositoryState } from "./state.js";
import { emit } from "./webhooks.js";

/** Commits listed in one `push`. */
const LISTED_COMMITS = 2048;

export async function announcePush(
  engine: Engine,
  state: RepositoryState,
  update: RefUpdate,
  sender: Actor,
): Promise<void> {
  await emit(engine, state, {
    name: "push",
    action: null,
    sender,
    payload: () => pushPayload(engine, state, update, sender),
  });
}

async function pushPayload(
  engine: Engine,
  state: RepositoryState,
  { ref, before, after }: RefUpdate,
  sender: Actor,
): Promise<Record<string, unknown>> {
  const git = engine.git(state.repository);
  const created = before === ZERO_OID;
  const deleted = after === ZERO_OID;
  const commits = deleted
    ? []
    : await git.commitsBetween(
        created ? await tipOfDefault(engine, state, ref) : before,
        after,
        LISTED_COMMITS,
      );
  const listed = await Promise.all(
    commits.map((commit) => pushedCommit(engine, state.repository, commit)),
  );
  const head = deleted
    ? null
    : await pushedCommit(engine, state.repository, await git.commit(after));
  const forced = !created && !deleted && !(await git.isAncestor(before, after));
  return {
    ref,
    before,
    after,
    created,
    deleted,
    forced,
    base_ref: null,
    compare: `${linksOf(engine, state.repository).html}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: listed,
    head_commit: head,
    pusher: { name: sender.login, email: null },
  };
}

/** What a new branch has that the default branch has not; of the default branch itself, everything. */
async function tipOfDefault(
  engine: Engine,
  state: RepositoryState,
  ref: string,
): Promise<string | null> {
  const { defaultBranch } = state.repository;
  if (ref === `refs/heads/${defaultBranch}`) return null;
  return engine.git(state.repository).branch(defaultBranch);
}

export async function announceStatus(
  engine: Engine,
  state: RepositoryState,
  status: CommitStatus,
): Promise<void> {
  const git = engine.git(state.repository);
  const links = linksOf(engine, state.repository);
  await emit(engine, state, {
    name: "status",
    action: null,
    sender: status.creator,
    payload: async () => {
      const at = (await git.refs("refs/heads/")).filter((ref) => ref.sha === status.sha);
      return {
        id: status.id,
        sha: status.sha,
        name: `${state.repository.owner}/${state.repository.name}`,
        context: status.context,
        description: status.description,
        state: status.state,
        target_url: status.targetUrl,
        avatar_url: null,
        commit: statusCommit(engine, state.repository, await git.commit(status.sha)),
        branches: at.map(({ name, sha }) => {
          const branch = name.slice("refs/heads/".length);
          return {
            name: branch,
            commit: { sha, url: `${links.api}/commits/${sha}` },
            protected: branchRules(state.repository, branch).rulesets.length > 0,
          };
        }),
        created_at: seconds(status.createdAt),
        updated_at: seconds(status.createdAt),
      };
    },
  });
}

export async function announceRuleset(
  engine: Engine,
  state: RepositoryState,
  ruleset: Ruleset,
  action: "created" | "edited" | "deleted",
): Promise<void> {
  const { repository } = state;
  await emit(engine, state, {
    name: "repository_ruleset",
    action,
    sender: ADMIN,
    payload: () => ({
      repository_ruleset: {
        id: ruleset.id,
        name: ruleset.name,
        target: ruleset.target,
        source_type: "Repository",
        source: `${repository.owner}/${repository.name}`,
        enforcement: ruleset.enforcement,
        node_id: nodeId("RRS", repository.id, ruleset.id),
        created_at: seconds(ruleset.createdAt),
        updated_at: seconds(ruleset.updatedAt),
      },
    }),
  });
}
