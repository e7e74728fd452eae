/** Reads the body of a request up to a limit. */

export type Body = { readonly read: true; readonly bytes: Buffer } | { readonly read: false };

/**
 * `read: false` when the body is larger than `limit` bytes. One that says so in its header is not read at all; one that
 * hides its length is read no further than the limit.
 */
export async function readBody(request: Request, limit: number): Promise<Body> {
  const said = request.headers.get("content-length");
  if (said !== null && Number(said) > limit) return { read: false };
  if (request.body === null) return { read: true, bytes: Buffer.alloc(0) };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { read: true, bytes: Buffer.concat(chunks) };
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      return { read: false };
    }
    chunks.push(value);
  }
}

/** Undefined for what is no JSON text. */
export function parseJson(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(bytes.toString("utf8")) };
  } catch {
    return undefined;
  }
}
