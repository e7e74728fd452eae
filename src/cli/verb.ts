/** How every verb is declared. */
import type { Command } from "commander";

/** Options as commander gives them. */
export type Given = Readonly<Record<string, string | boolean | undefined>> & {
  readonly json?: boolean;
};

/** A verb with `--json` and an example at the end of its help. */
export function verb(parent: Command, usage: string, summary: string, example: string): Command {
  return parent
    .command(usage)
    .description(summary)
    .option("--json", "print one JSON document")
    .addHelpText("after", `\nExample:\n  ${example}`);
}
