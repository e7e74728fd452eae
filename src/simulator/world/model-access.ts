/** Apps, tokens and webhooks of the simulated GitHub; part of `model.ts`. */
import type { Actor, User } from "./model.js";

export interface App {
  id: number;
  slug: string;
  name: string;
  /** PEM, public half; JWTs are verified against it. */
  publicKey: string;
  webhook: { url: string; secret: string; active: boolean } | null;
  events: string[];
  permissions: Record<string, "read" | "write" | "admin">;
  createdAt: string;
}

export interface Installation {
  id: number;
  appId: number;
  account: string;
  repositorySelection: "all" | "selected";
  repositoryIds: number[];
  suspendedAt: string | null;
  createdAt: string;
}

export type Token =
  | {
      readonly kind: "personal";
      readonly token: string;
      readonly actor: Actor;
      readonly scopes: string[];
      revoked: boolean;
    }
  | {
      readonly kind: "installation";
      readonly token: string;
      readonly installationId: number;
      readonly permissions: Record<string, string>;
      readonly repositoryIds: number[] | null;
      readonly expiresAt: string;
      revoked: boolean;
    };

/** A repository webhook (not an App's). */
export interface RepositoryHook {
  id: number;
  repositoryId: number;
  url: string;
  secret: string;
  events: string[];
  active: boolean;
}

export interface Delivery {
  id: number;
  guid: string;
  event: string;
  action: string | null;
  hook: { kind: "app" | "repository"; id: number };
  installationId: number | null;
  repositoryId: number | null;
  url: string;
  /** The exact bytes signed and sent. */
  body: string;
  /** When it is sent; later than its making under a `delay`. */
  dueAt: string;
  deliveredAt: string | null;
  statusCode: number | null;
  status: string;
  redelivery: boolean;
  duration: number;
}

/** A scripted fault of webhook delivery; used up after `times` events. */
export interface WebhookFault {
  id: number;
  /** `reorder` keeps the next `times` deliveries and sends them last first. */
  kind: "lose" | "double" | "delay" | "reorder";
  /** `pull_request` or `pull_request.dequeued`; null: any. */
  filter: string | null;
  times: number;
  /** Milliseconds, for `delay`. */
  delayMs: number;
  /** Deliveries it has acted on. */
  used: number;
  /** Delivery ids kept back by `reorder`. */
  kept: number[];
}

/** Who a credential stands for. */
export type Principal =
  | {
      readonly kind: "user";
      readonly actor: User;
      readonly token: string;
      readonly scopes: string[];
    }
  | {
      readonly kind: "installation";
      readonly actor: Actor;
      readonly token: string;
      readonly app: App;
      readonly installation: Installation;
      readonly permissions: Record<string, string>;
      /** Null: every repository of the installation. */
      readonly repositoryIds: number[] | null;
    }
  | { readonly kind: "app"; readonly actor: Actor; readonly app: App };
