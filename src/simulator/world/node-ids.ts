/** Node ids: opaque to clients, and enough for the world to find what they stand for. */

export type NodeKind =
  | "R"
  | "PR"
  | "MQ"
  | "MQE"
  | "CS"
  | "CR"
  | "SC"
  | "WFR"
  | "W"
  | "RRS"
  | "U"
  | "BOT"
  | "A"
  | "C"
  | "REF";

/** `parts` are the ids that find the thing, the repository's first where it belongs to one. */
export function nodeId(kind: NodeKind, ...parts: readonly (number | string)[]): string {
  return `${kind}_${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
}

export function parseNodeId(
  id: string,
): { readonly kind: string; readonly parts: (number | string)[] } | null {
  const split = id.indexOf("_");
  if (split < 1) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(id.slice(split + 1), "base64url").toString());
    if (!Array.isArray(parts)) return null;
    return { kind: id.slice(0, split), parts: parts as (number | string)[] };
  } catch {
    return null;
  }
}
