/** What went wrong when git was run, in git's own words, without credentials. */
export class GitError extends Error {
  override readonly name = "GitError";

  constructor(
    /**
     * `failed`: git answered with an exit status nobody expected. `timeout`, `cancelled` and
     * `output_too_large`: its process group was ended by us. `not_started`: there is no git or no
     * such folder. `unusable`: git answered with something that cannot be used (too old, not UTF-8).
     * `gone`: the lane's folder is not there any more, whatever git said of it.
     */
    readonly kind:
      "failed" | "timeout" | "cancelled" | "output_too_large" | "not_started" | "unusable" | "gone",
    message: string,
    /** Exit status, null when git ended by a signal or never ran. */
    readonly code: number | null = null,
    /** What git wrote to standard error; bounded and redacted. */
    readonly stderr = "",
  ) {
    super(message);
  }

  /** Git's own words when it said any, else the message. One line for a refusal. */
  get words(): string {
    return this.stderr === "" ? this.message : this.stderr.replace(/\s*\n\s*/g, "; ");
  }
}
