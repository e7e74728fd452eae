/** The types of the schema that are simulated, by name. Everything else answers an error (S2). */
import type { Fields } from "../fields.js";
import { Bot, Organization, User } from "./actor.js";
import * as checks from "./checks.js";
import { Commit, Comparison, Ref } from "./commit.js";
import { MergeQueue, MergeQueueEntry } from "./merge-queue.js";
import { Mutation } from "./mutation.js";
import { PullRequest } from "./pull-request.js";
import { Query } from "./query.js";
import { Repository } from "./repository.js";
import { StatusCheckRollup } from "./rollup.js";
import { RepositoryRule, RepositoryRuleset } from "./rules.js";
import { timelineTypes } from "./timeline.js";

export const TYPES: Readonly<Record<string, Fields<never>>> = {
  Query,
  Mutation,
  Bot,
  Organization,
  User,
  ...checks,
  Commit,
  Comparison,
  Ref,
  MergeQueue,
  MergeQueueEntry,
  PullRequest,
  Repository,
  RepositoryRule,
  RepositoryRuleset,
  StatusCheckRollup,
  ...timelineTypes,
};
