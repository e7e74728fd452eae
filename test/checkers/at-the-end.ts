/** The end of a story, a stage, or whatever else made a world for one test. */
import { onTestFinished } from "vitest";
import type { TestDatabase } from "../setup/database.js";
import { check, checkClosed, type ChildProcess, type World } from "./index.js";

/**
 * When the test is finished: checks the world if the test passed (the first failure must stay readable), closes it
 * whatever happened, looks at what a passing test left, and drops its database.
 */
export function checkedAtTheEnd(of: {
  /** Lets what is under way settle, and gives the world to check. */
  readonly world: () => Promise<World>;
  readonly close: () => Promise<void>;
  readonly database: TestDatabase;
  /** Taken before anything of the story was started. */
  readonly before: readonly ChildProcess[];
}): void {
  onTestFinished(async ({ task }) => {
    const passed = task.result?.state === "pass";
    try {
      try {
        if (passed) await check(await of.world());
      } finally {
        await of.close();
      }
      if (passed) await checkClosed({ databaseUrl: of.database.url, before: of.before });
    } finally {
      await of.database.drop();
    }
  });
}
