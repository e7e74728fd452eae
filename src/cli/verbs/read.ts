/** Verbs a person reads: explain, status, doctor, a section. */
import { EXIT } from "../../core/refusals.js";
import { untilWhen } from "../../core/landing/freeze.js";
import { call } from "../call.js";
import { report, say, table } from "../print.js";

interface Json {
  readonly json?: boolean;
}

export interface Explained {
  readonly item: { readonly key: string; readonly title: string };
  readonly reasons: readonly { readonly text: string; readonly next: string | null }[];
}

/** What `yoke explain` prints. */
export function explanation({ item, reasons }: Explained): string {
  return [
    `${item.key}: ${item.title}`,
    ...reasons.map(({ text, next }) =>
      next === null ? `- ${text}` : `- ${text}\n  Next: ${next}`,
    ),
    "",
  ].join("\n");
}

export async function explain(
  item: string,
  options: Json & { readonly refresh?: boolean },
): Promise<void> {
  const input = { item, refresh: options.refresh ?? false };
  const outcome = await call<Explained>("explain.item", input);
  report("explain", outcome, options, explanation);
}

export async function section(
  item: string,
  options: Json & { readonly section: string },
): Promise<void> {
  const outcome = await call<{ section: { body: string } }>("items.section.get", {
    item,
    section: options.section,
  });
  report("items section get", outcome, options, (output) => `${output.section.body.trimEnd()}\n`);
}

export async function doctor(options: Json & { readonly project?: string }): Promise<void> {
  const outcome = await call<{
    healthy: boolean;
    checks: readonly { name: string; state: string; text: string; next: string | null }[];
  }>("doctor.run", { project: options.project });
  report("doctor", outcome, options, ({ checks }) =>
    checks
      .map(
        ({ name, state, text, next }) =>
          `${state.padEnd(4)}  ${name}: ${text}\n${next === null ? "" : `      Next: ${next}\n`}`,
      )
      .join(""),
  );
  if (outcome.ok && !outcome.output.healthy) process.exitCode = EXIT.failed;
}

interface Board {
  readonly projects: readonly {
    readonly project: string;
    readonly freeze?: { readonly reason: string; readonly until: string | null } | null;
    readonly items: readonly {
      readonly item: string;
      readonly title: string;
      readonly where: string;
      readonly status: string;
      readonly next: string | null;
      readonly pullRequest: number | null;
      readonly why: string;
      readonly checks: string | null;
    }[];
  }[];
}

export async function status(options: Json & { readonly project?: string }): Promise<void> {
  const outcome = await call<Board>("status.board", { project: options.project });
  for (const { project, freeze } of outcome.ok ? outcome.output.projects : []) {
    if (freeze == null) continue;
    say(`${project} is frozen${untilWhen(freeze.until)}: ${freeze.reason}`);
  }
  report("status", outcome, options, ({ projects }) =>
    table({
      columns: ["item", "stands", "pull request", "title", "why", "next"],
      rows: projects.flatMap(({ items }) =>
        items.map(({ item, where, pullRequest, title, why, checks, next, status: stands }) => [
          item,
          where,
          pullRequest,
          title,
          checks === null ? why : `${why}; ${checks}`,
          next ?? (stands === "landed" ? "nothing" : "wait"),
        ]),
      ),
    }),
  );
}
