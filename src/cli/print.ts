/** Results go to stdout, talk to stderr (style.md "Command line"). */
import type { Refusal } from "../core/refusals.js";
import type { Outcome } from "../functions/define.js";

// A reader that went away (`yoke status | head`, a terminal that closed) ends the talk, never the work: without a
// listener the broken pipe would end the process, and a supervisor would leave its services behind.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Aligned with a heading on a terminal, tab-separated without one in a pipe. */
export function table({ columns, rows }: Rows): string {
  const cells = rows.map((row) => row.map((cell) => (cell === null ? "-" : String(cell))));
  if (!process.stdout.isTTY) return cells.map((row) => `${row.join("\t")}\n`).join("");
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `${row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd()}\n`;
  return [columns.map((column) => column.toUpperCase()), ...cells].map(line).join("");
}

/** `name: value`, one line each; what is nested stands below its name, indented. */
export function fields(value: Readonly<Record<string, unknown>>): string {
  return fieldLines(value)
    .map((line) => `${line}\n`)
    .join("");
}

function fieldLines(value: object): string[] {
  return Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
    if (typeof one !== "object" || one === null) return [`${name}: ${scalar(one)}`];
    if (!Array.isArray(one)) return [`${name}:`, ...fieldLines(one).map((line) => `  ${line}`)];
    if (one.length === 0) return [`${name}: -`];
    return [`${name}:`, ...one.flatMap((entry: unknown) => entryLines(entry))];
  });
}

/** One entry of a list: its first line after a dash, the others below that line. */
function entryLines(entry: unknown): string[] {
  const lines = typeof entry === "object" && entry !== null ? fieldLines(entry) : [scalar(entry)];
  return lines.map((line, at) => `  ${at === 0 ? "-" : " "} ${line}`);
}

function scalar(value: unknown): string {
  if (typeof value === "string") return value === "" ? "-" : value;
  return value === null || value === undefined ? "-" : JSON.stringify(value);
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Code, what was seen, what to do next; all of them. */
export function sayRefusals(refusals: readonly Refusal[]): void {
  for (const { code, message, next } of refusals) say(`${code}: ${message}\n  Next: ${next}`);
}

/** Prints an outcome and sets the exit status. */
export function report<Output>(
  verb: string,
  outcome: Outcome<Output>,
  options: { readonly json?: boolean | undefined },
  text: (output: Output) => string,
): void {
  process.exitCode = outcome.exit;
  if (options.json === true) {
    const schema = `yoke.${verb.replaceAll(" ", ".")}/1`;
    const { exit } = outcome;
    const body = outcome.ok
      ? { schema, ok: true, exit, ...(outcome.output as object) }
      : { schema, ok: false, exit, refusals: outcome.refusals };
    process.stdout.write(`${JSON.stringify(body)}\n`);
  } else if (outcome.ok) process.stdout.write(text(outcome.output));
  else sayRefusals(outcome.refusals);
}
