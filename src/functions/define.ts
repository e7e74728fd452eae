/** A function of the action core: one name, one input, one output, whatever surface asks (design.md "One action core"). */
import type { z } from "zod";
import { EXIT, type ExitStatus, type Refusal } from "../core/refusals.js";
import type { FunctionContext } from "./context.js";

export interface FunctionDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** API, never renamed. */
  readonly name: string;
  /** Release that first carried it (A9.6). */
  readonly since: string;
  /** One imperative line. */
  readonly summary: string;
  readonly effect: "read" | "write";
  readonly input: Input;
  readonly output: Output;
  /** Exit status of the command that asked, from the output; 0 unless told otherwise. */
  exit(output: z.output<Output>): ExitStatus;
  /** Answers, or throws `Refused`. */
  run(context: FunctionContext, input: z.output<Input>): Promise<z.output<Output>>;
}

/** What every surface prints. Serialisable. */
export type Outcome<Output = unknown> =
  | { readonly ok: true; readonly output: Output; readonly exit: ExitStatus }
  | { readonly ok: false; readonly refusals: readonly Refusal[]; readonly exit: ExitStatus };

/** Gives a definition its types, and the exit status 0 where it names none. */
export function defineFunction<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Omit<FunctionDefinition<Input, Output>, "exit"> &
    Partial<Pick<FunctionDefinition<Input, Output>, "exit">>,
): FunctionDefinition<Input, Output> {
  return { exit: () => EXIT.ok, ...definition };
}
