/** Search attributes of the namespace, typed for the SDK (design.md "Workflows are small"). */
import { defineSearchAttributeKey, SearchAttributeType } from "@temporalio/common";

export const yokeProject = defineSearchAttributeKey("YokeProject", SearchAttributeType.KEYWORD);
export const yokeItem = defineSearchAttributeKey("YokeItem", SearchAttributeType.KEYWORD);
export const yokePullRequest = defineSearchAttributeKey("YokePullRequest", SearchAttributeType.INT);
export const yokeState = defineSearchAttributeKey("YokeState", SearchAttributeType.KEYWORD);
