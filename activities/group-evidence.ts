/**
 * What groups of the projects' gate branches were seen to report. A check that was reported once is never looked for
 * again, and a reading of the last minute is enough, so that landings together cost one request (A15.6).
 */
import { reports, type GroupReport } from "../src/core/gate/reporting.js";
import { checkName, type RequiredCheck } from "../src/core/gate/rules.js";
import { githubFault } from "../src/core/github-fault.js";
import type { Project } from "../src/core/records.js";
import type { GitHub } from "../src/github/port.js";

const freshMs = 60_000;

interface Kept {
  readonly at: number;
  readonly groups: Promise<readonly GroupReport[]>;
}

export class GroupEvidence {
  private readonly readings = new Map<string, Kept>();
  private readonly seen = new Set<string>();

  constructor(
    private readonly github: (project: Project) => GitHub,
    private readonly now: () => string,
  ) {}

  /** The newest groups; none when every check was seen before, and none when they cannot be read: that proves nothing. */
  async of(project: Project, required: readonly RequiredCheck[]): Promise<readonly GroupReport[]> {
    const key = (check: RequiredCheck) =>
      JSON.stringify([project.key, project.gateBranch, checkName(check)]);
    if (required.every((check) => this.seen.has(key(check)))) return [];
    try {
      const groups = await this.read(project);
      for (const check of required)
        if (groups.some((group) => reports(group, check))) this.seen.add(key(check));
      return groups;
    } catch (error) {
      if (githubFault(error) === null) throw error;
      return [];
    }
  }

  private read(project: Project): Promise<readonly GroupReport[]> {
    const at = Date.parse(this.now());
    const kept = this.readings.get(project.key);
    if (kept !== undefined && at - kept.at < freshMs) return kept.groups;
    const groups = this.github(project).groupReports(project, project.gateBranch);
    this.readings.set(project.key, { at, groups });
    return groups;
  }
}
