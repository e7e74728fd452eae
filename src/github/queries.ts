/**
 * Every GraphQL document of yoke; nothing else speaks GraphQL. Each is checked in tests against GitHub's public
 * schema and against the rule that a connection names `first` or `last` (github-facts 5.1).
 *
 * `mergeable` is always asked for: asking only for `mergeStateStatus` may not start its computation (4.1).
 */

/** Everything an `Observation` is made of. */
const observation = /* GraphQL */ `
  fragment Observation on PullRequest {
    id
    number
    url
    updatedAt
    state
    isDraft
    isCrossRepository
    headRefOid
    headRefName
    headRef {
      name
    }
    baseRefName
    baseRef {
      name
    }
    mergeable
    mergeStateStatus
    isInMergeQueue
    isMergeQueueEnabled
    autoMergeRequest {
      enabledAt
    }
    mergeQueueEntry {
      state
      position
      enqueuedAt
      estimatedTimeToMerge
      headCommit {
        oid
      }
    }
    mergedAt
    mergeCommit {
      oid
    }
    closedAt
  }
`;

/** Two connections of one node each: 50 pull requests stay one point and 150 nodes (github-facts 1.8). */
const checkCounts = /* GraphQL */ `
  fragment CheckCounts on StatusCheckRollup {
    contexts(first: 1) {
      checkRunCountsByState {
        state
        count
      }
      statusContextCountsByState {
        state
        count
      }
    }
  }
`;

/** A page of the checks of one commit, with what tells a superseded run from the newest one (github-facts 4.16). */
const checks = /* GraphQL */ `
  fragment Checks on StatusCheckRollup {
    contexts(first: 100, after: $after) {
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        __typename
        ... on CheckRun {
          databaseId
          name
          status
          conclusion
          detailsUrl
          isRequired(pullRequestNumber: $number)
          checkSuite {
            app {
              databaseId
            }
            workflowRun {
              databaseId
            }
          }
        }
        ... on StatusContext {
          context
          state
          targetUrl
          isRequired(pullRequestNumber: $number)
        }
      }
    }
  }
`;

export const repositoryFacts = /* GraphQL */ `
  query RepositoryFacts($owner: String!, $name: String!, $gate: String!, $gateRef: String!) {
    viewer {
      login
    }
    repository(owner: $owner, name: $name) {
      databaseId
      id
      autoMergeAllowed
      defaultBranchRef {
        name
      }
      ref(qualifiedName: $gateRef) {
        target {
          oid
        }
      }
      mergeQueue(branch: $gate) {
        url
        configuration {
          mergeMethod
        }
      }
    }
  }
`;

/**
 * What the gate branch declares and what rulesets enforce on it, those of the organization included. Classic branch
 * protection is not in `rules` (github-facts 4.37).
 */
const gate = /* GraphQL */ `
  fragment Gate on Repository {
    gate: ref(qualifiedName: $gateRef) {
      target {
        oid
      }
      rules(first: 100) {
        pageInfo {
          hasNextPage
        }
        nodes {
          type
          repositoryRuleset {
            id
            name
            source {
              __typename
              ... on Repository {
                nameWithOwner
              }
              ... on Organization {
                login
              }
            }
          }
          parameters {
            __typename
            ... on MergeQueueParameters {
              mergeMethod
              groupingStrategy
              checkResponseTimeoutMinutes
              maxEntriesToBuild
              maxEntriesToMerge
              minEntriesToMerge
              minEntriesToMergeWaitMinutes
            }
            ... on RequiredStatusChecksParameters {
              strictRequiredStatusChecksPolicy
              requiredStatusChecks {
                context
                integrationId
              }
            }
          }
        }
      }
    }
    declaration: object(expression: $gateDeclaration) {
      __typename
      ... on Blob {
        text
        isTruncated
      }
    }
  }
`;

/** The gate branch by itself, for whoever looks at its rules and not at a landing. */
export const gateBranch = /* GraphQL */ `
  query GateBranch(
    $owner: String!
    $name: String!
    $gate: String!
    $gateRef: String!
    $gateDeclaration: String!
  ) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      id
      autoMergeAllowed
      mergeQueue(branch: $gate) {
        id
      }
      ...Gate
    }
  }
  ${gate}
`;

/** The repository's own rulesets, active or not: an organization's cannot be written here. */
export const rulesets = /* GraphQL */ `
  query Rulesets($owner: String!, $name: String!, $after: String) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      rulesets(first: 100, after: $after, includeParents: false) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          id
          name
        }
      }
    }
  }
`;

const groupChecks = /* GraphQL */ `
  fragment GroupChecks on Commit {
    committedDate
    statusCheckRollup {
      contexts(first: 100) {
        nodes {
          __typename
          ... on CheckRun {
            name
            checkSuite {
              app {
                databaseId
              }
            }
          }
          ... on StatusContext {
            context
          }
        }
      }
    }
  }
`;

/** `beforeCommit` of a removal is the group commit, of a merge as of an ejection (github-facts 4.22, 4.23). */
export const groupReports = /* GraphQL */ `
  query GroupReports($owner: String!, $name: String!, $gate: String!) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      mergeQueue(branch: $gate) {
        entries(first: 20) {
          nodes {
            headCommit {
              ...GroupChecks
            }
          }
        }
      }
      pullRequests(first: 20, baseRefName: $gate, orderBy: { field: UPDATED_AT, direction: DESC }) {
        nodes {
          timelineItems(last: 1, itemTypes: [REMOVED_FROM_MERGE_QUEUE_EVENT]) {
            nodes {
              ... on RemovedFromMergeQueueEvent {
                createdAt
                beforeCommit {
                  ...GroupChecks
                }
              }
            }
          }
        }
      }
    }
  }
  ${groupChecks}
`;

export const createRuleset = /* GraphQL */ `
  mutation CreateRuleset($input: CreateRepositoryRulesetInput!) {
    createRepositoryRuleset(input: $input) {
      __typename
    }
  }
`;

export const updateRuleset = /* GraphQL */ `
  mutation UpdateRuleset($input: UpdateRepositoryRulesetInput!) {
    updateRepositoryRuleset(input: $input) {
      __typename
    }
  }
`;

const target = /* GraphQL */ `
  fragment Target on Repository {
    id
    ref(qualifiedName: $headRef) {
      target {
        oid
      }
    }
    mergeQueue(branch: $gate) {
      configuration {
        mergeMethod
      }
    }
    ...Gate
  }
  ${gate}
`;

/** The newest pull requests of a branch; a fork's branch of the same name is among them. */
export const targetByBranch = /* GraphQL */ `
  query TargetByBranch(
    $owner: String!
    $name: String!
    $head: String!
    $headRef: String!
    $gate: String!
    $gateRef: String!
    $gateDeclaration: String!
  ) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      ...Target
      pullRequests(
        first: 10
        headRefName: $head
        baseRefName: $gate
        orderBy: { field: CREATED_AT, direction: DESC }
      ) {
        nodes {
          ...Observation
        }
      }
    }
  }
  ${target}
  ${observation}
`;

export const targetByNumber = /* GraphQL */ `
  query TargetByNumber(
    $owner: String!
    $name: String!
    $headRef: String!
    $gate: String!
    $gateRef: String!
    $gateDeclaration: String!
    $number: Int!
  ) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      ...Target
      pullRequest(number: $number) {
        ...Observation
      }
    }
  }
  ${target}
  ${observation}
`;

/** At most 100 ids in one call. */
const observePullRequests = (landed: string) => /* GraphQL */ `
  query Observe($ids: [ID!]!) {
    rateLimit {
      cost
    }
    nodes(ids: $ids) {
      __typename
      ...Observation
      ... on PullRequest {
        statusCheckRollup {
          ...CheckCounts
        }
        mergeQueueEntry {
          headCommit {
            statusCheckRollup {
              ...CheckCounts
            }
          }
        }
        ${landed}
      }
    }
  }
  ${observation}
  ${checkCounts}
`;

/** For a full page: one point. */
export const observe = observePullRequests("");

/**
 * For fewer: also when reports on a landed commit ended, since what ended before the merge was the group's (A16.1). A
 * third connection would make a full page two points.
 */
export const observeLanded = observePullRequests(`mergeCommit {
          statusCheckRollup {
            contexts(first: 50) {
              nodes {
                __typename
                ... on CheckRun {
                  completedAt
                }
                ... on StatusContext {
                  createdAt
                }
              }
            }
          }
        }`);

/**
 * The base branch is the base of the comparison and the candidate its head: `BEHIND` and `IDENTICAL` mean that the
 * base branch contains the candidate. An oid is accepted for `headRef` (schema change of 2022-10-18).
 */
export const stopEvidence = /* GraphQL */ `
  query StopEvidence(
    $owner: String!
    $name: String!
    $number: Int!
    $baseRef: String!
    $candidate: String!
    $after: String
  ) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      url
      ref(qualifiedName: $baseRef) {
        compare(headRef: $candidate) {
          status
        }
      }
      pullRequest(number: $number) {
        headRefOid
        statusCheckRollup {
          ...Checks
        }
        timelineItems(last: 1, itemTypes: [REMOVED_FROM_MERGE_QUEUE_EVENT]) {
          nodes {
            ... on RemovedFromMergeQueueEvent {
              createdAt
              reason
              beforeCommit {
                oid
                statusCheckRollup {
                  ...Checks
                }
              }
            }
          }
        }
      }
    }
  }
  ${checks}
`;

/** The reports on a pull request's head, and the checks that its gate branch requires (A8.2). */
export const headChecks = /* GraphQL */ `
  query HeadChecks(
    $owner: String!
    $name: String!
    $number: Int!
    $gateRef: String!
    $gateDeclaration: String!
    $after: String
  ) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      url
      ...Gate
      pullRequest(number: $number) {
        headRefOid
        statusCheckRollup {
          ...Checks
        }
      }
    }
  }
  ${gate}
  ${checks}
`;

/** The next page of a commit's checks. */
export const moreChecks = /* GraphQL */ `
  query MoreChecks(
    $owner: String!
    $name: String!
    $number: Int!
    $oid: GitObjectID!
    $after: String!
  ) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      object(oid: $oid) {
        ... on Commit {
          statusCheckRollup {
            ...Checks
          }
        }
      }
    }
  }
  ${checks}
`;

/** A branch, and the open pull requests that would be closed with it (A16.6). */
export const branchUse = /* GraphQL */ `
  query BranchUse($owner: String!, $name: String!, $branch: String!, $ref: String!) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      ref(qualifiedName: $ref) {
        target {
          oid
        }
      }
      based: pullRequests(first: 20, baseRefName: $branch, states: [OPEN]) {
        nodes {
          number
        }
      }
      heads: pullRequests(first: 20, headRefName: $branch, states: [OPEN]) {
        nodes {
          number
          isCrossRepository
        }
      }
    }
  }
`;

export const compare = /* GraphQL */ `
  query Compare($owner: String!, $name: String!, $baseRef: String!, $candidate: String!) {
    repository(owner: $owner, name: $name) {
      ref(qualifiedName: $baseRef) {
        compare(headRef: $candidate) {
          status
        }
      }
    }
  }
`;

/** The queue with the files of each entry: 10,000 nodes and one point. */
export const queueAhead = /* GraphQL */ `
  query QueueAhead($owner: String!, $name: String!, $gate: String!, $number: Int!, $after: String) {
    rateLimit {
      cost
    }
    repository(owner: $owner, name: $name) {
      pullRequest(number: $number) {
        mergeQueueEntry {
          position
        }
        files(first: 100) {
          nodes {
            path
          }
        }
      }
      mergeQueue(branch: $gate) {
        entries(first: 100, after: $after) {
          pageInfo {
            hasNextPage
            endCursor
          }
          nodes {
            position
            pullRequest {
              number
              files(first: 100) {
                nodes {
                  path
                }
              }
            }
          }
        }
      }
    }
  }
`;

export const createPullRequest = /* GraphQL */ `
  mutation CreatePullRequest($input: CreatePullRequestInput!) {
    createPullRequest(input: $input) {
      pullRequest {
        ...Observation
      }
    }
  }
  ${observation}
`;

/** Arming is read back in the same answer; what it does not show is read by itself (A1.3). */
export const enableAutoMerge = /* GraphQL */ `
  mutation EnableAutoMerge($input: EnablePullRequestAutoMergeInput!) {
    enablePullRequestAutoMerge(input: $input) {
      pullRequest {
        ...Observation
      }
    }
  }
  ${observation}
`;

export const disableAutoMerge = /* GraphQL */ `
  mutation DisableAutoMerge($input: DisablePullRequestAutoMergeInput!) {
    disablePullRequestAutoMerge(input: $input) {
      __typename
    }
  }
`;

export const enqueue = /* GraphQL */ `
  mutation Enqueue($input: EnqueuePullRequestInput!) {
    enqueuePullRequest(input: $input) {
      mergeQueueEntry {
        pullRequest {
          ...Observation
        }
      }
    }
  }
  ${observation}
`;

export const dequeue = /* GraphQL */ `
  mutation Dequeue($input: DequeuePullRequestInput!) {
    dequeuePullRequest(input: $input) {
      __typename
    }
  }
`;

export const mergePullRequest = /* GraphQL */ `
  mutation MergePullRequest($input: MergePullRequestInput!) {
    mergePullRequest(input: $input) {
      __typename
    }
  }
`;
