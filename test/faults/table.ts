/** The table of a sweep: one line for each step and fault, and the counts below it. */
import { stepName, type Planned } from "./step.js";
import type { Run } from "./swept-run.js";

export interface Row {
  readonly planned: Planned;
  /** Null: the fault means nothing for this step. */
  readonly run: Run | null;
}

/** What happened, in words; it begins with `landed` when nothing was lost and nothing happened twice. */
export function outcome({ run }: Row): string {
  if (run === null) return "n/a: a read has no effect";
  if (!run.met) return "NOT REACHED";
  if (run.wrong.length > 0) return run.wrong.join("; ");
  const again = run.refusals.length > 0 ? ` after re-entry (${run.refusals.join(", ")})` : "";
  const repeats = run.repeats > 0 ? `, notice repeated under its key` : "";
  return `landed${again}${repeats}`;
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    stepName(row.planned.step),
    row.planned.kind,
    row.run === null ? "" : row.run.seconds.toFixed(1),
    outcome(row),
  ]);
  const runs = rows.flatMap(({ run }) => (run === null ? [] : [run]));
  const lost = runs.filter(({ wrong }) => wrong.some((line) => line.startsWith("LOST"))).length;
  const doubled = runs.filter(({ wrong }) => wrong.length > 0).length - lost;
  return [
    ...aligned([["step", "fault", "s", "outcome"], ...lines]),
    "",
    `${runs.length} runs, landings lost ${lost}, second or missing effects ${doubled}`,
  ].join("\n");
}

function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = [0, 1, 2].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines.map((line) => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
}
