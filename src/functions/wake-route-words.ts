/** What a wake route can do, in words (A6.3). */
import type { WakeRoute } from "../core/records.js";

export interface Resumption {
  /** False: a person must re-enter by hand. */
  readonly automatic: boolean;
  readonly text: string;
}

export function resumption(route: WakeRoute): Resumption {
  switch (route.kind) {
    case "exec":
      return { automatic: true, text: `resumes by the command ${route.argv[0] ?? "(none)"}` };
    case "http":
      return { automatic: true, text: `resumes by a signed request to ${route.url}` };
    case "file":
      return {
        automatic: false,
        text: `notices are appended to ${route.path}; resumes when its harness reads them`,
      };
    case "operator":
      return { automatic: false, text: "cannot resume automatically: a person must re-enter" };
  }
}
