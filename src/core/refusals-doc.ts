/** The page `docs/refusals.md`, rendered from the catalogue so that it cannot drift. */
import { chapters, EXIT, type ExitStatus, type RefusalKind } from "./refusals.js";

const meaning: Readonly<Record<ExitStatus, string>> = {
  [EXIT.ok]: "done, and read back",
  [EXIT.failed]: "something yoke needs did not work; nothing was decided",
  [EXIT.refused]: "refused, or the landing stopped: someone must act",
  [EXIT.uncertain]: "sent, but not known to have taken effect: read before you repeat",
  [EXIT.usage]: "the command was not understood",
  [EXIT.pending]: "armed, not landed yet (`landing_pending`)",
  [EXIT.leaseHeld]: "another process holds the lease",
};

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** Slots read as in a usage line: `{item}` becomes `ITEM`. */
const usage = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (_slot, name: string) => name.toUpperCase());

function chapter(title: string, kinds: Readonly<Record<string, RefusalKind>>): string {
  const rows = Object.entries(kinds).map(
    ([code, kind]) =>
      `| \`${code}\` | ${kind.exit} | ${cell(kind.when)} | ${cell(usage(kind.next))} |`,
  );
  return [
    `## ${title}`,
    "",
    "| code | exit | when | what to do |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

/** Markdown of the whole catalogue: exit statuses first, then one table for each chapter. */
export function refusalsPage(): string {
  const exits = Object.values(EXIT).map((exit) => `| ${exit} | ${meaning[exit]} |`);
  return [
    "# Refusals",
    "",
    'Every "no" carries a code, what was seen, and what to do next. Codes are part of the interface: they are',
    "never renamed. This page is generated from the catalogue.",
    "",
    "## Exit statuses",
    "",
    "| exit | meaning |",
    "| --- | --- |",
    ...exits,
    "",
    Object.entries(chapters)
      .map(([title, kinds]) => chapter(title, kinds))
      .join("\n\n"),
    "",
  ].join("\n");
}
