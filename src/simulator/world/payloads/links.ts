/** Addresses of things in the simulator; the same shapes as on github.com and its API. */
import type { Engine } from "../engine.js";
import type { Repository } from "../model.js";

export interface Links {
  /** Page of an account. */
  account(login: string): string;
  /** Page of a repository. */
  html: string;
  /** REST address of the repository. */
  api: string;
  /** REST address of an account. */
  apiAccount(login: string): string;
}

export function linksOf(engine: Engine, repository: Repository): Links {
  const api = `${engine.baseUrl}/api/v3`;
  return {
    account: (login) => `${engine.baseUrl}/${encodeURIComponent(login)}`,
    html: `${engine.baseUrl}/${repository.owner}/${repository.name}`,
    api: `${api}/repos/${repository.owner}/${repository.name}`,
    apiAccount: (login) => `${api}/users/${encodeURIComponent(login)}`,
  };
}

/** GitHub prints whole seconds in payloads. */
export function seconds(iso: string): string;
export function seconds(iso: string | null): string | null;
export function seconds(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 19)}Z`;
}
