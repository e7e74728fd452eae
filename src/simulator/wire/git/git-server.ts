/** Git over HTTP: who may fetch and push, and what the world makes of a push. */
import { ANONYMOUS } from "../../world/actors.js";
import type { Principal, Repository } from "../../world/model.js";
import type { Exchange, Handled, Handling } from "../handling.js";
import { type Answer, text } from "../http/answer.js";
import type { Incoming } from "../http/incoming.js";
import type { Services } from "../services.js";
import { bufferBackend, streamBackend, type BackendCall } from "./http-backend.js";

const PATH = /^\/([^/]+)\/([^/]+?)(?:\.git)?(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/;

/** Null for a request that is none of git's. */
export function gitHandling(services: Services, incoming: Incoming): Handling | null {
  const found = PATH.exec(incoming.path);
  if (found === null) return null;
  const [, owner = "", name = "", service = ""] = found;
  const program = service === "/info/refs" ? incoming.query.get("service") : service.slice(1);
  const answer = (exchange: Exchange) =>
    serve(services, exchange, { owner, name, service, program });
  const step = service === "/info/refs" ? " (refs)" : "";
  return { kind: "git", route: `git ${program ?? "dumb protocol"}${step}`, answer };
}

interface Asked {
  readonly owner: string;
  readonly name: string;
  readonly service: string;
  readonly program: string | null;
}

async function serve(services: Services, exchange: Exchange, asked: Asked): Promise<Handled> {
  const { incoming, logged } = exchange;
  const { world } = services;
  const authorization = incoming.header("authorization");
  const principal = authorization === undefined ? null : world.authenticate(authorization);
  if (authorization !== undefined && principal === null) return unauthorized();
  logged.actor = principal?.actor.login ?? null;
  const repository = world.repository(asked.owner, asked.name);
  if (repository === null || !world.canRead(principal, repository))
    return principal === null ? unauthorized() : text(404, "Repository not found.\n");
  if (asked.program !== "git-upload-pack" && asked.program !== "git-receive-pack")
    return text(403, "Please upgrade your git client.\n");
  const login = principal?.actor.login ?? null;
  const call: BackendCall = { repository, service: asked.service, incoming, login };
  if (asked.program === "git-receive-pack") {
    if (!world.canWrite(principal, repository)) return refusedPush(repository, principal);
    if (asked.service === "/git-receive-pack") return receive(services, call, principal);
  }
  if (cutsAnswer(exchange)) return whole(call);
  logged.status = await streamBackend(call, exchange.response);
  return "streamed";
}

async function receive(
  { world }: Services,
  call: BackendCall,
  principal: Principal | null,
): Promise<Answer> {
  const { answer, updates } = await bufferBackend(call);
  if (updates.length > 0)
    await world.afterPush(call.repository, updates, principal?.actor ?? ANONYMOUS);
  return { status: answer.status, headers: answer.headers, body: answer.start };
}

/** Buffered like a push, for a fault that acts on the answer as a whole. */
async function whole(call: BackendCall): Promise<Answer> {
  const { answer } = await bufferBackend(call);
  return { status: answer.status, headers: answer.headers, body: answer.start };
}

function cutsAnswer({ fault }: Exchange): boolean {
  return fault?.script.cut !== undefined || fault?.script.status !== undefined;
}

function unauthorized(): Answer {
  return text(401, "Authentication required.\n", {
    "www-authenticate": 'Basic realm="GitHub"',
  });
}

function refusedPush({ owner, name }: Repository, principal: Principal | null): Answer {
  if (principal === null) return unauthorized();
  return text(403, `Permission to ${owner}/${name}.git denied to ${principal.actor.login}.\n`);
}
