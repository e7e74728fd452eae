/** Delivering notices to the holder by the wake route (A6.1, A6.3). */
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ApplicationFailure } from "@temporalio/activity";
import { findClaim } from "../db/claims.js";
import { listNotices, markDelivered, markFailed, setRecipient } from "../db/notices.js";
import { findSession, findSteeringSeat } from "../db/sessions.js";
import { noticeText } from "../src/core/landing/notice-text.js";
import type { Notice, Session, WakeRoute } from "../src/core/records.js";
import { readSecret } from "../src/config/secret.js";
import type { ActivityDependencies } from "./dependencies.js";

const execTimeoutMs = 20_000;
const httpTimeoutMs = 10_000;

/** Type name of the failure that crosses into the workflow. */
const undeliverable = "notice_undeliverable";

/** One JSON line of a mailbox: `{schema: "yoke.notice/1", …}`. */
function envelope(notice: Notice): string {
  return JSON.stringify({
    schema: "yoke.notice/1",
    key: notice.key,
    project: notice.project,
    item: notice.item,
    kind: notice.kind,
    title: notice.title,
    body: notice.body,
    next: notice.next,
    reason: notice.reason,
    createdAt: notice.createdAt,
  });
}

/** Appends once: a line that already carries the key is this delivery's own trace (case E09). */
async function toFile(path: string, notice: Notice): Promise<void> {
  const line = envelope(notice);
  const known = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (known.split("\n").includes(line)) return;
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${known === "" || known.endsWith("\n") ? "" : "\n"}${line}\n`);
}

/** Runs the holder's command with the notice on standard input and its key in `YOKE_NOTICE_KEY`. */
function toCommand(argv: readonly string[], notice: Notice): Promise<void> {
  const [command, ...args] = argv;
  if (command === undefined) return Promise.reject(new Error("the wake command is empty"));
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ["pipe", "ignore", "pipe"],
      detached: true,
      env: { ...process.env, YOKE_NOTICE_KEY: notice.key, YOKE_ITEM: notice.item },
    });
    let complaint = "";
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, execTimeoutMs);
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(0, 2000);
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${noticeText(notice)}\n`);
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else
        reject(new Error(`${command} ended with ${signal ?? `exit ${code}`}: ${complaint.trim()}`));
    });
  });
}

/** POSTs the notice, signed over its bytes as GitHub signs webhooks; the key is the `Idempotency-Key`. */
async function toUrl(route: Extract<WakeRoute, { kind: "http" }>, notice: Notice): Promise<void> {
  const body = envelope(notice);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "idempotency-key": notice.key,
  };
  if (route.secret !== null) {
    const secret = await readSecret(route.secret);
    const digest = createHmac("sha256", secret.reveal()).update(body).digest("hex");
    headers["x-yoke-signature-256"] = `sha256=${digest}`;
  }
  const answer = await fetch(route.url, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(httpTimeoutMs),
  });
  if (!answer.ok) throw new Error(`the wake route answered ${answer.status}`);
}

async function deliver(session: Session, notice: Notice): Promise<void> {
  const route = session.wakeRoute;
  switch (route.kind) {
    case "file":
      return toFile(route.path, notice);
    case "exec":
      return toCommand(route.argv, notice);
    case "http":
      return toUrl(route, notice);
    case "operator":
      // A person reads `yoke notices list`; there is nothing to send (A6.3).
      return;
  }
}

export function noticeActivities({ db, now }: ActivityDependencies) {
  /** The holder, or the steering seat when the holder is gone (A6.3); a wrong tree is the seat's alone (A16.1). */
  async function recipient(notice: Notice): Promise<Session | null> {
    if (notice.kind === "wrong_tree") return findSteeringSeat(db, { project: notice.project });
    const claim = await findClaim(db, { item: notice.item });
    const holder = claim === null ? null : await findSession(db, { id: claim.session });
    if (holder?.state === "active") return holder;
    return findSteeringSeat(db, { project: notice.project });
  }

  return {
    /**
     * Delivers a stored notice. Key: the notice's own; a delivered one is not sent again, and the file route looks
     * for its own line first. Raises `notice_undeliverable`, retried unless there is nobody to tell; what stays
     * undelivered is tried again by upkeep (A4.6).
     */
    async deliverNotice(ask: { readonly project: string; readonly key: string }): Promise<void> {
      const [notice] = await listNotices(db, { key: ask.key });
      if (notice === undefined) throw new Error(`notice ${ask.key} has no row`);
      if (notice.state !== "pending") return;
      const session = await recipient(notice);
      if (session === null) {
        const error = "its holder is gone and the project has no steering seat";
        await setRecipient(db, { key: notice.key, session: null });
        await markFailed(db, { key: notice.key, error, at: now() });
        throw ApplicationFailure.nonRetryable(error, undeliverable);
      }
      if (notice.recipient !== session.id) {
        await setRecipient(db, { key: notice.key, session: session.id });
      }
      try {
        await deliver(session, notice);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        await markFailed(db, { key: notice.key, error: why, at: now() });
        throw ApplicationFailure.retryable(why, undeliverable);
      }
      await markDelivered(db, { key: notice.key, at: now() });
    },
  };
}
