/** Reading an answer whole: any part of it that is missing fails the read (A15.3). */
import type { z } from "zod";

import type { GraphqlError } from "./faults.js";
import { whatIsWrong } from "./observation.js";
import { GitHubError } from "./port.js";
import type { Answer, Transport } from "./transport.js";

/** A read whose errors were judged: `tolerated` ones are for the caller to say what they leave unknown. */
export interface Whole<T> {
  readonly data: T;
  readonly tolerated: readonly GraphqlError[];
  readonly readAt: string;
}

/**
 * Asks `document` and gives its data as `shape`. Errors that `tolerates` accepts come back; any other raises
 * `GitHubError`: `no_access` when something is not there or not ours to see, else `unavailable`.
 */
export async function readWhole<T>(
  transport: Transport,
  document: string,
  variables: Readonly<Record<string, unknown>>,
  shape: z.ZodType<T>,
  tolerates: (error: GraphqlError) => boolean = () => false,
): Promise<Whole<T>> {
  const answer = await transport.ask(document, variables, "read");
  const grave = answer.errors.filter((error) => !harmless(error) && !tolerates(error));
  if (grave.length > 0) throw transport.errorOf(answer, grave, "read");
  return {
    data: understood(answer, shape),
    tolerated: answer.errors.filter((error) => !harmless(error)),
    readAt: answer.readAt,
  };
}

/** The data of `answer` as `shape`; raises `unavailable` when GitHub answered something else. */
export function understood<T>(answer: Answer, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(answer.data);
  if (parsed.success) return parsed.data;
  const message = `GitHub's answer was not understood at ${whatIsWrong(parsed.error)}`;
  throw new GitHubError({ kind: "unavailable", message });
}

/** The cost of a query is for metrics; an Enterprise Server without rate limits has none. */
export function harmless({ path }: GraphqlError): boolean {
  return path[0] === "rateLimit";
}

/** The errors at or under `prefix`, with their paths counted from there. */
export function errorsUnder(
  errors: readonly GraphqlError[],
  prefix: readonly (string | number)[],
): readonly GraphqlError[] {
  return errors
    .filter(({ path }) => prefix.every((part, at) => path[at] === part))
    .map((error) => ({ ...error, path: error.path.slice(prefix.length) }));
}
