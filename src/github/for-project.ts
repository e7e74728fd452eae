/** Clients of the projects' GitHubs, with credentials read from where the project says they are (B5.4). */
import { canonical } from "../core/canonical.js";
import type { Project } from "../core/records.js";
import type { GitCredential } from "../git/port.js";
import { createGitHub, type GitHubClient } from "./client.js";

export interface ProjectClients {
  readonly github: (project: Project) => GitHubClient;
  /** What git needs to fetch from GitHub over HTTPS: the user name GitHub documents for tokens, and the token. */
  readonly gitCredential: (project: Project) => Promise<GitCredential | null>;
}

/** One client for each (API, credential); its token cache and rate-limit figures are shared by all calls. */
export function projectClients(): ProjectClients {
  const clients = new Map<string, GitHubClient>();
  const github = (project: Project): GitHubClient => {
    const key = canonical([project.apiUrl, project.credential]);
    const known = clients.get(key);
    if (known !== undefined) return known;
    const client = createGitHub({ apiUrl: project.apiUrl, credential: project.credential });
    clients.set(key, client);
    return client;
  };
  return {
    github,
    async gitCredential(project) {
      const token = await github(project).token();
      return { username: "x-access-token", password: token.reveal() };
    },
  };
}
