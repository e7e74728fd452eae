/** `yoke github merge-queue diff`, `apply` and `readiness`: the rules of the gate branch (A2.4). */
import { call } from "../call.js";
import { readLane } from "../lane.js";
import { fields, report } from "../print.js";

interface Json {
  readonly json?: boolean;
}

interface Difference {
  readonly rule: string;
  readonly declared: string;
  readonly live: string;
}

const lines = (found: readonly Difference[]) =>
  found.map(({ rule, declared, live }) => `${rule}: declared ${declared}, live ${live}\n`).join("");

export async function diff(options: Json & { readonly project: string }): Promise<void> {
  const outcome = await call<{ gateBranch: string; equal: boolean; differences: Difference[] }>(
    "github.merge_queue.diff",
    { project: options.project },
  );
  report("github merge-queue diff", outcome, options, ({ gateBranch, equal, differences }) =>
    equal ? `${gateBranch} declares what GitHub enforces\n` : lines(differences),
  );
}

interface Applied {
  readonly action: "none" | "create" | "update";
  readonly ruleset: string;
  readonly changes: readonly Difference[];
  readonly applied: boolean;
}

export async function apply(
  options: Json & { readonly project: string; readonly path: string; readonly dryRun?: boolean },
): Promise<void> {
  const verb = "github merge-queue apply";
  const read = await readLane(options.path);
  if (!read.ok) {
    report(verb, read, options, () => "");
    return;
  }
  const { path, branch, head, dirty } = read.output;
  const outcome = await call<Applied>("github.merge_queue.apply", {
    project: options.project,
    checkout: { path, branch, head, dirty },
    dryRun: options.dryRun ?? false,
  });
  report(verb, outcome, options, ({ action, ruleset, changes, applied }) =>
    action === "none"
      ? "nothing to change\n"
      : `${fields({ action, ruleset, applied })}${lines(changes)}`,
  );
}

interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly state: string;
    readonly text: string;
    readonly next: string | null;
  }[];
  readonly landing: { readonly label: string; readonly why: string } | null;
}

export async function readiness(
  item: string | undefined,
  options: Json & { readonly project?: string },
): Promise<void> {
  const input = {
    ...(item === undefined ? {} : { item }),
    ...(options.project === undefined ? {} : { project: options.project }),
  };
  const outcome = await call<Readiness>("github.merge_queue.readiness", input);
  report("github merge-queue readiness", outcome, options, ({ checks, landing }) => {
    const said = checks.map(
      ({ name, state, text, next }) =>
        `${state.padEnd(7)}  ${name}: ${text}\n${next === null ? "" : `         Next: ${next}\n`}`,
    );
    const own = landing === null ? "" : fields({ landing: `${landing.label}: ${landing.why}` });
    return `${said.join("")}${own}`;
  });
}
