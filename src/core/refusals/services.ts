/** Refusals about what yoke runs on: GitHub, Temporal, Postgres, the server, the machine. */
import { EXIT, type RefusalKind } from "./kind.js";

export const serviceKinds = {
  github_access_refused: {
    exit: EXIT.refused,
    when: "GitHub refused the credential, or the repository or installation is gone for it.",
    next: "Restore the App's permissions Contents: write and Pull requests: write (for a token: the scope `repo`) and its access to the repository; check with `yoke doctor`.",
  },
  github_rate_limited: {
    exit: EXIT.failed,
    when: "GitHub's rate limit is used up for now. Nothing was decided from a partial answer.",
    next: "Wait {seconds} seconds; yoke continues by itself. If it keeps happening, raise the project's refresh interval.",
  },
  github_unavailable: {
    exit: EXIT.failed,
    when: "GitHub could not be reached, answered with a server error, or answered in part.",
    next: "Try again in a minute; open landings go on by themselves when GitHub answers.",
  },
  repository_unknown: {
    exit: EXIT.refused,
    when: "GitHub knows no such repository, or hides it from this credential.",
    next: "Check owner and name, and that the credential may see the repository.",
  },
  gate_branch_missing: {
    exit: EXIT.refused,
    when: "The gate branch does not exist in the repository.",
    next: "Name an existing branch with `--gate-branch`, or push it first.",
  },
  credential_missing: {
    exit: EXIT.refused,
    when: "The environment variable or file that should hold the secret is empty or not there.",
    next: "Set `{source}` for the worker and the server, and check with `yoke doctor`.",
  },
  database_unavailable: {
    exit: EXIT.failed,
    when: "Postgres could not be reached.",
    next: "Start it (`yoke up` on one machine) or correct `DATABASE_URL`; check with `yoke doctor`.",
  },
  database_schema_differs: {
    exit: EXIT.failed,
    when: "The database was migrated by another version of yoke.",
    next: "Run the version of yoke that the database was migrated by, or upgrade all parts to the newer one.",
  },
  temporal_unavailable: {
    exit: EXIT.failed,
    when: "Temporal could not be reached.",
    next: "Start it (`yoke up` on one machine) or correct `TEMPORAL_ADDRESS`; check with `yoke doctor`.",
  },
  temporal_binary_unavailable: {
    exit: EXIT.failed,
    when: "No Temporal command was found on this machine and none could be fetched or built.",
    next: "Install the Temporal CLI so that `temporal` is on PATH, or set `TEMPORAL_ADDRESS` to a running service.",
  },
  postgres_start_failed: {
    exit: EXIT.failed,
    when: "The built-in Postgres did not start; its own last words are quoted.",
    next: "Do what Postgres says in the message, or set `DATABASE_URL` to a running one.",
  },
  service_start_failed: {
    exit: EXIT.failed,
    when: "A service that `yoke up` started was not ready in time; its own last words are quoted.",
    next: "Read {log}, do what it says, then run `yoke up` again.",
  },
  port_in_use: {
    exit: EXIT.failed,
    when: "Another process listens on the port.",
    next: "Stop that process, or choose another port.",
  },
  instance_running: {
    exit: EXIT.refused,
    when: "Another `yoke up` uses this data folder.",
    next: "Use the running one, stop it, or name another folder with `--data-dir`.",
  },
  data_folder_unusable: {
    exit: EXIT.failed,
    when: "The data folder cannot be made or written.",
    next: "Correct its permissions, or name another folder with `--data-dir`.",
  },
  no_worker: {
    exit: EXIT.failed,
    when: "No worker polls the task queue, so nothing would happen.",
    next: "Start one with `yoke up` or `yoke worker`, then try again.",
  },
  service_unreachable: {
    exit: EXIT.failed,
    when: "No yoke server answers.",
    next: "Start one with `yoke up`, or set `YOKE_API_URL` to the server of your fleet.",
  },
  unauthorized: {
    exit: EXIT.refused,
    when: "The server refused the bearer token.",
    next: "Set `YOKE_API_TOKEN` to the server's token, or `YOKE_API_TOKEN_FILE` to a file of yours that holds it; over HTTP send it as `Authorization: Bearer TOKEN`. Whoever runs the server has it.",
  },
  function_unknown: {
    exit: EXIT.usage,
    when: "The server has no function of this name.",
    next: "List the functions with `GET /api/functions`, or see `yoke --help`.",
  },
  function_newer_than_server: {
    exit: EXIT.refused,
    when: "The server is older than the release that carries this function.",
    next: "Ask the operator to upgrade the server to {since} or newer. Functions it already has go on working.",
  },
  input_invalid: {
    exit: EXIT.usage,
    when: "The input does not have the right shape; each wrong field is named.",
    next: "Correct the fields named in the message; `--help` shows an example.",
  },
  configuration_invalid: {
    exit: EXIT.usage,
    when: "An environment variable or project file holds a value that cannot be used.",
    next: "Correct the settings named in the message; `yoke doctor` checks all of them.",
  },
  webhook_refused: {
    exit: EXIT.refused,
    when: "A webhook's connection, signature or repository is not the one on record. Nothing was done.",
    next: "Compare the webhook's URL and secret on GitHub with `yoke project get {project}`.",
  },
  git_unavailable: {
    exit: EXIT.failed,
    when: "Git is not on PATH, or is too old.",
    next: "Install git {minimum} or newer, and check with `yoke doctor`.",
  },
  git_failed: {
    exit: EXIT.failed,
    when: "A git command failed; its own words are quoted.",
    next: "Do what git says in the message, then try again.",
  },
  internal_error: {
    exit: EXIT.failed,
    when: "Something happened that yoke did not foresee. The state is kept.",
    next: "Try once more; if it stays, report it with the report id.",
  },
} as const satisfies Record<string, RefusalKind>;
