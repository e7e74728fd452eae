import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { Secret } from "../../src/config/secret.js";
import { createGit } from "../../src/git/index.js";
import type { GitCredential, Proved } from "../../src/git/port.js";
import { redact } from "../../src/git/redact.js";
import { withCredential } from "../../src/git/credential.js";
import { askForPassword, authorized, gitBackend, serve } from "./http-remote.js";
import { commit, git, lane, mergeInto, published } from "./repositories.js";

/** Characters that a shell, a URL and a format string would each treat in their own way. */
const CANARY = "ghs_CANARY$(id)%s'\"@/\\n";
const credential: GitCredential = { username: "x-access-token", password: CANARY };
const FORMS = [
  "CANARY",
  encodeURIComponent(CANARY),
  Buffer.from(`${credential.username}:${CANARY}`).toString("base64"),
];

/** A landed candidate whose remote will be at `url`. */
function landedAt(url: (origin: string) => string) {
  const world = published();
  const candidate = commit(lane(world.clone, "a"), { "a.txt": "a\n" });
  git(world.upstream, "fetch", "--quiet", world.clone, "a");
  const merge = mergeInto(world.upstream, candidate);
  git(world.upstream, "push", "--quiet", "origin", "main");
  const prove = async (origin: string, given: GitCredential | null): Promise<Proved> => {
    git(world.clone, "remote", "set-url", "origin", url(origin));
    const ask = { repository: world.clone, remote: "origin", gateBranch: "main", candidate };
    return createGit().proveCarried({ ...ask, credential: given });
  };
  return { ...world, candidate, merge, prove };
}

/** Argument lists of all processes, as any user of the machine may read them. */
function argumentLists(): string {
  const lists: string[] = [];
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      lists.push(readFileSync(`/proc/${entry}/cmdline`, "utf8"));
    } catch {
      // It ended between the two reads.
    }
  }
  return lists.join("\n");
}

describe("a remote that asks for a password", () => {
  it("case E13 gets it, and it is in no argument list, configuration or file", async () => {
    const { prove, merge, remote, folder, clone } = landedAt((origin) => `${origin}/remote.git`);
    let seen = "";
    let given = 0;
    const origin = await serve((request, response) => {
      if (!authorized(request, credential)) return askForPassword(response);
      given += 1;
      // Git is waiting for this answer: what it was started with can be read now.
      seen += argumentLists();
      return gitBackend(folder, request, response);
    });
    const answer = await prove(origin, credential);
    expect(answer).toMatchObject({ ok: true, proof: { mergeCommit: merge } });
    expect(given).toBeGreaterThan(0);
    expect(seen).toContain(`${origin}/remote.git`);
    for (const form of FORMS) {
      expect(seen).not.toContain(form);
      expect(readFileSync(join(clone, ".git/config"), "utf8")).not.toContain(form);
    }
    expect(statSync(remote).isDirectory()).toBe(true);
  });

  it("gets it when the URL names the user, and configured helpers neither answer nor keep it", async () => {
    const { prove, folder, clone } = landedAt((origin) =>
      `${origin}/remote.git`.replace("http://", "http://x-access-token@"),
    );
    const origin = await serve((request, response) =>
      authorized(request, credential)
        ? gitBackend(folder, request, response)
        : askForPassword(response),
    );
    const kept = join(folder, "kept");
    git(clone, "config", "credential.helper", `!echo password=wrong; cat >> ${kept}; :`);
    git(clone, "config", `credential.${origin}.helper`, `store --file=${kept}`);
    expect(await prove(origin, credential)).toMatchObject({ ok: true });
    expect(readdirSync(folder)).not.toContain("kept");
  });

  it("case E11 a server that repeats the credential does not get it into the refusal", async () => {
    const { prove } = landedAt((origin) => `${origin}/remote.git`);
    const origin = await serve((request, response) => {
      if (!authorized(request, credential)) return askForPassword(response);
      response.writeHead(403, { "content-type": "text/plain" });
      return response.end(
        `denied: ${CANARY} ${encodeURIComponent(CANARY)}\nAuthorization: ${request.headers.authorization}\n`,
      );
    });
    const answer = JSON.stringify(await prove(origin, credential));
    expect(answer).toContain("closeout_fetch_failed");
    expect(answer).toContain("denied: [secret]");
    for (const form of FORMS) expect(answer).not.toContain(form);
  });

  it("case E11 a credential in the remote's own URL does not get into the refusal", async () => {
    const { prove } = landedAt((origin) =>
      `${origin}/remote.git`.replace("http://", "http://user:CANARY-in-url@"),
    );
    const origin = await serve((_request, response) => askForPassword(response));
    const answer = JSON.stringify(await prove(origin, null));
    expect(answer).toContain("closeout_fetch_failed");
    expect(answer).toContain(origin.replace("http://", ""));
    expect(answer).not.toContain("CANARY");
  });

  it("without a credential is refused at once, by a question nobody is asked", async () => {
    const { prove } = landedAt((origin) => `${origin}/remote.git`);
    const origin = await serve((_request, response) => askForPassword(response));
    const answer = await prove(origin, null);
    expect(answer).toMatchObject({ ok: false, refusal: { code: "closeout_fetch_failed" } });
    expect(JSON.stringify(answer)).toContain("could not read Username");
  });
});

describe("a credential is shown at its origin only", () => {
  it("another host that the remote redirects to gets nothing", async () => {
    const { prove } = landedAt((origin) => `${origin}/remote.git`);
    const shown: (string | undefined)[] = [];
    const thief = await serve((request, response) => {
      shown.push(request.headers.authorization);
      askForPassword(response);
    });
    const origin = await serve((request, response) => {
      response.writeHead(302, { location: `${thief}${request.url}` }).end();
    });
    const answer = await prove(origin, credential);
    expect(answer).toMatchObject({ ok: false, refusal: { code: "closeout_fetch_failed" } });
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown)).toEqual(new Set([undefined]));
  });

  it("a remote at another origin than the credential's gets nothing, its own gets it", async () => {
    const { prove, folder } = landedAt((origin) => `${origin}/remote.git`);
    let shown = 0;
    const origin = await serve((request, response) => {
      if (request.headers.authorization === undefined) return askForPassword(response);
      shown += 1;
      return gitBackend(folder, request, response);
    });
    const elsewhere = { ...credential, origin: "https://github.com" };
    expect(await prove(origin, elsewhere)).toMatchObject({ ok: false });
    expect(shown).toBe(0);
    expect(await prove(origin, { ...credential, origin })).toMatchObject({ ok: true });
    expect(shown).toBeGreaterThan(0);
  });

  it("ssh and path remotes need none and get none", async () => {
    for (const url of ["git@github.com:owner/name.git", "ssh://git@github.com/o/n", "/srv/git"]) {
      await withCredential(credential, url, async (options) => {
        expect(options).toEqual({});
      });
    }
  });

  it("the askpass program is part of the package and holds no secret; nothing is written", async () => {
    await withCredential(credential, "https://github.com/o/n", async ({ env, config }) => {
      const askpass = env?.["GIT_ASKPASS"] ?? "";
      expect(statSync(askpass).mode & 0o111).toBe(0o111);
      expect(readFileSync(askpass, "utf8")).not.toContain("CANARY");
      expect(JSON.stringify(config)).not.toContain("CANARY");
    });
  });
});

describe("redaction", () => {
  it("case E11 takes user information out of every URL and keeps the rest", () => {
    const said = "fatal: unable to access 'https://me:CANARY@host/x.git/': 403; see ssh://git@h/y";
    expect(redact(said)).toBe(
      "fatal: unable to access 'https://[secret]@host/x.git/': 403; see ssh://[secret]@h/y",
    );
    expect(redact("mail ada@example.test about https://host/x")).toBe(
      "mail ada@example.test about https://host/x",
    );
  });

  it("case E11 takes out authorization headers and every form of a secret", () => {
    expect(redact("> Authorization: Basic Q0FOQVJZ")).toBe("> Authorization: [secret]");
    expect(
      redact(
        "a CANARY-long and CANARY",
        ["CANARY", "CANARY-long"].map((value) => new Secret(value)),
      ),
    ).toBe("a [secret] and [secret]");
  });
});
