/** Rulesets and their rules (github-facts 1.7). */
import type { Repository, Ruleset } from "../../../world/model.js";
import { nodeId } from "../../../world/node-ids.js";
import { seconds } from "../../../world/payloads/links.js";
import { connection, type PageArgs } from "../connection.js";
import { type Fields, Plain } from "../fields.js";
import type { RuleSource, RulesetSource } from "../sources.js";

export function rulesOf(repository: Repository, ruleset: Ruleset): RuleSource[] {
  const rule = (type: RuleSource["type"]): RuleSource => ({
    __typename: "RepositoryRule",
    repository,
    ruleset,
    type,
  });
  return [
    ...(ruleset.mergeQueue === null ? [] : [rule("MERGE_QUEUE")]),
    ...(ruleset.requiredStatusChecks === null ? [] : [rule("REQUIRED_STATUS_CHECKS")]),
    ...(ruleset.requiredApprovals === 0 ? [] : [rule("PULL_REQUEST")]),
  ];
}

export const RepositoryRuleset: Fields<RulesetSource> = {
  id: ({ repository, ruleset }) => nodeId("RRS", repository.id, ruleset.id),
  databaseId: ({ ruleset }) => ruleset.id,
  name: ({ ruleset }) => ruleset.name,
  target: ({ ruleset }) => ruleset.target.toUpperCase(),
  enforcement: ({ ruleset }) => ruleset.enforcement.toUpperCase(),
  createdAt: ({ ruleset }) => seconds(ruleset.createdAt),
  updatedAt: ({ ruleset }) => seconds(ruleset.updatedAt),
  source: ({ repository }) => ({ __typename: "Repository", repository }),
  conditions: ({ ruleset }) =>
    new Plain({
      refName: new Plain({ include: ruleset.include, exclude: ruleset.exclude }),
      repositoryId: null,
      repositoryName: null,
      repositoryProperty: null,
    }),
  rules: ({ repository, ruleset }, args: PageArgs & { type?: string | null }) => {
    const found = rulesOf(repository, ruleset).filter(
      ({ type }) => args.type == null || args.type === type,
    );
    return connection(found, args, (rule) => rule);
  },
  // Nobody may go past the rules here.
  bypassActors: (_, args: PageArgs) => connection([], args, (none) => none),
};

export const RepositoryRule: Fields<RuleSource> = {
  id: ({ repository, ruleset, type }) => nodeId("RRS", repository.id, ruleset.id, type),
  type: ({ type }) => type,
  repositoryRuleset: ({ repository, ruleset }) => ({
    __typename: "RepositoryRuleset",
    repository,
    ruleset,
  }),
  parameters: ({ ruleset, type }) => parameters(ruleset, type),
};

function parameters(ruleset: Ruleset, type: RuleSource["type"]): Plain | null {
  const { mergeQueue, requiredStatusChecks } = ruleset;
  if (type === "MERGE_QUEUE") {
    return mergeQueue === null ? null : new Plain({ ...mergeQueue }, "MergeQueueParameters");
  }
  if (type === "REQUIRED_STATUS_CHECKS") {
    if (requiredStatusChecks === null) return null;
    return new Plain(
      {
        requiredStatusChecks: requiredStatusChecks.checks.map((check) => new Plain({ ...check })),
        strictRequiredStatusChecksPolicy: requiredStatusChecks.strict,
        doNotEnforceOnCreate: false,
      },
      "RequiredStatusChecksParameters",
    );
  }
  return new Plain(
    {
      requiredApprovingReviewCount: ruleset.requiredApprovals,
      dismissStaleReviewsOnPush: false,
      requireCodeOwnerReview: false,
      requireLastPushApproval: false,
      requiredReviewThreadResolution: false,
    },
    "PullRequestParameters",
  );
}
