/** What a function of the action core is: a name, an input, an output, and what it does. */
import { z } from "zod";
import { EXIT, type ExitStatus, type Refusal } from "../core/refusals.js";
import { Refused, type FunctionContext } from "./context.js";
import { invalidInput } from "./invalid-input.js";

/** What every surface prints. Serialisable. */
export type Outcome<Output = unknown> =
  | { readonly ok: true; readonly output: Output; readonly exit: ExitStatus }
  | { readonly ok: false; readonly refusals: readonly Refusal[]; readonly exit: ExitStatus };

/** A function as `dispatch` sees it, whatever its input and output are. */
export interface ActionFunction {
  /** API: never renamed. */
  readonly name: string;
  /** First release that carries it (A9.6). */
  readonly since: string;
  readonly summary: string;
  readonly effect: "read" | "write";
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Checks the input, runs, checks the output. Throws `Refused`, or what broke. */
  call(
    context: FunctionContext,
    rawInput: unknown,
  ): Promise<{ readonly output: unknown; readonly exit: ExitStatus }>;
}

export interface FunctionDefinition<I extends z.ZodType, O extends z.ZodType> {
  readonly name: string;
  readonly since: string;
  readonly summary: string;
  readonly effect: "read" | "write";
  readonly input: I;
  readonly output: O;
  /** Exit status of the command that asked, from the output; without it always 0. */
  readonly exit?: (output: z.output<O>) => ExitStatus;
  run(context: FunctionContext, input: z.output<I>): Promise<z.input<O>>;
}

/** An output that its own schema refuses is a bug, and never reaches the caller. */
export function defineFunction<I extends z.ZodType, O extends z.ZodType>(
  definition: FunctionDefinition<I, O>,
): FunctionDefinition<I, O> & ActionFunction {
  return {
    ...definition,
    async call(context, rawInput) {
      const input = definition.input.safeParse(rawInput, { reportInput: true });
      if (!input.success) throw new Refused([invalidInput(definition.name, input.error.issues)]);
      const output = definition.output.parse(await definition.run(context, input.data));
      return { output, exit: definition.exit?.(output) ?? EXIT.ok };
    },
  };
}

/** JSON Schema of what a caller sends. */
export function inputSchema(action: ActionFunction): object {
  return z.toJSONSchema(action.input, { io: "input" });
}
