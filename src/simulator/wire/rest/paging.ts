/** Pages of lists, with their `Link` header. */
import { type Answer, json } from "../http/answer.js";
import type { RestCall } from "./call.js";

const DEFAULT_SIZE = 30;
const LARGEST_SIZE = 100;

export interface Page<T> {
  readonly items: readonly T[];
  readonly headers: Record<string, string>;
}

export function pageOf<T>(call: RestCall, items: readonly T[]): Page<T> {
  const size = Math.min(positive(call.query.get("per_page"), DEFAULT_SIZE), LARGEST_SIZE);
  const page = positive(call.query.get("page"), 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const address = call.address();
  const link = (to: number, rel: string): string =>
    `<${address}${address.includes("?") ? "&" : "?"}page=${to}>; rel="${rel}"`;
  const links = [
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
    ...(page > 1 ? [link(1, "first")] : []),
  ];
  return {
    items: items.slice((page - 1) * size, page * size),
    headers: links.length === 0 ? {} : { link: links.join(", ") },
  };
}

/** A bare list, each item shown by `show`. */
export async function listed<T>(
  call: RestCall,
  items: readonly T[],
  show: (item: T) => unknown,
): Promise<Answer> {
  const { items: page, headers } = pageOf(call, items);
  return json(200, await Promise.all(page.map(show)), headers);
}

/** A list under `name`, with `total_count` beside it. */
export async function counted<T>(
  call: RestCall,
  name: string,
  items: readonly T[],
  show: (item: T) => unknown,
): Promise<Answer> {
  const { items: page, headers } = pageOf(call, items);
  const shown = await Promise.all(page.map(show));
  return json(200, { total_count: items.length, [name]: shown }, headers);
}

function positive(text: string | null, otherwise: number): number {
  const value = Number(text ?? otherwise);
  return Number.isInteger(value) && value > 0 ? value : otherwise;
}
