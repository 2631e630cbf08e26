// What connecting remote servers needs from outside, and its door to addresses that strangers name.

import type { Seal } from "../../src/discord/answers/seal.ts";
import { base64url } from "../../src/discord/answers/seal.ts";
import { withLimit } from "../../src/mcp/limit.ts";
import type { OAuthFetch } from "../../src/mcp/oauth/discovery.ts";
import type { Pkce } from "../../src/mcp/oauth/grant.ts";
import { createSession } from "../../src/mcp/session.ts";
import { agentName } from "../../src/mcp/wire.ts";
import { readBody } from "../../src/toolkit/run/http-answer.ts";
import { checkSecureUrl } from "../../src/tools/web/public-url.ts";
import { createSecureFetch } from "../../src/tools/web/secure-fetch.ts";
import type { Log, Timers } from "../../src/turn/ports.ts";
import type { ConnectionStore } from "./connection-store.ts";

/** A remote server that can be connected. */
export interface ConnectableServer {
  id: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The operator has configured its `Authorization` header, so nobody signs in to it. */
  isFixed: boolean;
  /** People named its address; else the operator did, and it may be anywhere. */
  isAdded?: true;
  /** What the operator registered with the server that gives its tokens. */
  registered: { clientId: string; clientSecret: string | null } | null;
}

/** What a scope needs to connect remote servers. */
export interface ConnectionPorts {
  /** The scope's. */
  name: string;
  /** The configured ones, and those that were added here. */
  readonly servers: readonly ConnectableServer[];
  connections: ConnectionStore;
  /** Null: no key is configured, so nothing can be connected. */
  seal: Seal | null;
  ask: OAuthFetch;
  /**
   * What a server says to a request without a token: its header WWW-Authenticate. Undefined: it answered, and wants none. Throws what the
   * connection throws.
   */
  askForChallenge: (server: ConnectableServer) => Promise<string | null | undefined>;
  /** Why an address must not be asked; null: it may. */
  whyNot: (address: string) => string | null;
  writeState: (nonce: string) => Promise<string>;
  pkce: () => Promise<Pkce>;
  /** A new name that nobody can guess. */
  nonce: () => string;
  /** `count` random letters of the text `of`. */
  letters: (of: string, count: number) => string;
  clock: () => number;
  /** Says what went wrong, without secrets. */
  describe: (error: unknown) => string;
  log: Pick<Log, "info" | "error">;
}

const ASK_LIMIT_MS = 8000;

/** Why a stranger's address is not asked, as part of a sentence: only https on the public internet, and what the operator allows. */
export function whyNotAsked(address: string, privateHosts: ReadonlySet<string>): string | null {
  const checked = checkSecureUrl(address, privateHosts);
  return checked.ok ? null : `an address of the authorization server is not asked: ${checked.reason}`;
}

/** The door: checks each address, follows no redirect, reads an answer of at most 256 KiB, and waits at most eight seconds. */
export function createOAuthFetch(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  timers: Timers,
  version: string,
  privateHosts: ReadonlySet<string>,
): OAuthFetch {
  return async (url, init = {}) => {
    const refusal = whyNotAsked(url, privateHosts);
    if (refusal !== null) throw new Error(refusal);
    const limit = withLimit(null, ASK_LIMIT_MS, (ms, callback) => timers.after(ms, callback));
    try {
      const headers = new Headers(init.headers);
      headers.set("user-agent", agentName(version));
      const response = await fetch(url, { ...init, headers, redirect: "manual", signal: limit.signal });
      const { bytes, cut } = await readBody(response, MAX_BYTES);
      // Read within the limit in time; what is read again is in memory. Some statuses have no body. What is longer is no document, but a
      // page that says that there is none, and another place may have it.
      return new Response(cut || bytes.length === 0 ? null : new Uint8Array(bytes), response);
    } finally {
      limit.release();
    }
  };
}

/** Asks a server for its tools without a token. */
export function createChallenger(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  timers: Timers,
  version: string,
  privateHosts: ReadonlySet<string>,
): ConnectionPorts["askForChallenge"] {
  return async (server) => {
    let challenge: string | null = null;
    const ask = server.isAdded ? createSecureFetch(fetch, privateHosts) : fetch;
    const limit = withLimit(null, ASK_LIMIT_MS, (ms, callback) => timers.after(ms, callback));
    const outside = {
      fetch: async (url: string, init: RequestInit) => {
        const response = await ask(url, init);
        if (response.status === 401) challenge = response.headers.get("www-authenticate");
        return response;
      },
      after: (ms: number, callback: () => void) => timers.after(ms, callback),
      keepAlive: () => {},
      version,
    };
    const { ok } = await createSession(server, outside, () => {})
      .request("tools/list", {}, limit.signal)
      .finally(limit.release);
    return ok ? undefined : challenge;
  };
}

const MAX_BYTES = 256 * 1024;

/** Random secrets; of a PKCE verifier also the digest that is shown in its place. */
export const randomness = {
  nonce: () => base64url(crypto.getRandomValues(new Uint8Array(24))),
  letters: (of: string, count: number) =>
    Array.from(crypto.getRandomValues(new Uint32Array(count)), (number) => of[number % of.length] ?? "").join(""),
  async pkce(): Promise<Pkce> {
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    return { verifier, challenge: base64url(new Uint8Array(digest)) };
  },
};
