/** A history is kept for good, so it names no machine: neither its host, nor its processes, nor its folders. */

/** Words to replace, and what stands for each. */
export type MachineWords = readonly (readonly [word: string, instead: string])[];

/** The same JSON with the words replaced everywhere, inside payloads too. */
export function withoutMachine(json: unknown, words: MachineWords): unknown {
  return mapped(json, (text) => {
    let clean = text;
    for (const [word, instead] of words) clean = clean.replaceAll(word, instead);
    return clean;
  });
}

/** Every text of a history, payloads decoded. */
export function textsOf(json: unknown): string[] {
  const texts: string[] = [];
  mapped(json, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

function mapped(json: unknown, change: (text: string) => string): unknown {
  if (typeof json === "string") return change(json);
  if (Array.isArray(json)) return json.map((one) => mapped(one, change));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      // A payload: `{ metadata, data }`, and `data` is base64 of what the data converter made, which is JSON here.
      const encoded = key === "data" && "metadata" in json && typeof value === "string";
      if (!encoded) return [key, mapped(value, change)];
      const text = Buffer.from(value, "base64").toString("utf8");
      return [key, Buffer.from(change(text), "utf8").toString("base64")];
    }),
  );
}
