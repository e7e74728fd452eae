/** A bound on waiting for Temporal, whose client goes on trying for long while its server is away. */
import { refuse } from "../core/refusals.js";
import { Refused } from "./context.js";

/** Throws `temporal_unavailable` when there is no answer after this many milliseconds; what was asked goes on. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const said = `The Temporal server did not answer in ${ms / 1000} s.`;
      reject(new Refused([refuse("temporal_unavailable", said)]));
    }, ms);
  });
  // Nobody waits for it any more once it is late.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
