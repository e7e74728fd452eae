/** Pages of a list, as connections. */
import { Plain } from "./fields.js";
import { TypedError } from "./errors.js";

export interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** The page `args` names; `node` makes the source of one item. `more` are fields of this connection alone. */
export function connection<T>(
  items: readonly T[],
  args: PageArgs,
  node: (item: T) => unknown,
  more: Readonly<Record<string, unknown>> = {},
): Plain {
  const from = args.after == null ? 0 : positionOf(args.after) + 1;
  const to = args.before == null ? items.length : positionOf(args.before);
  const start = args.last == null ? from : Math.max(from, to - args.last);
  const end = args.first == null ? to : Math.min(to, from + args.first);
  const page = items.slice(start, end);
  const cursorAt = (index: number): string | null =>
    page.length === 0 ? null : cursor(start + index);
  return new Plain({
    totalCount: items.length,
    nodes: () => page.map(node),
    edges: () =>
      page.map(
        (item, index) => new Plain({ cursor: cursor(start + index), node: () => node(item) }),
      ),
    pageInfo: new Plain({
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: cursorAt(0),
      endCursor: cursorAt(page.length - 1),
    }),
    ...more,
  });
}

function cursor(position: number): string {
  return Buffer.from(`cursor:${position}`).toString("base64");
}

function positionOf(text: string): number {
  const found = /^cursor:(\d+)$/.exec(Buffer.from(text, "base64").toString());
  if (found === null)
    throw new TypedError(
      "INVALID_CURSOR_ARGUMENTS",
      `\`${text}\` does not appear to be a valid cursor.`,
    );
  return Number(found[1]);
}
