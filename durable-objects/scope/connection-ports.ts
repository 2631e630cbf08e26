// The ports for connecting remote servers, and the guarded access to addresses that strangers name.

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
  /** Whether the operator has configured its `Authorization` header, so that nobody signs in to it. */
  isFixed: boolean;
  /** Set if people named its address. The operator's addresses may be anywhere. */
  isAdded?: true;
  /** The client that the operator registered with the issuer of its tokens. */
  registered: { clientId: string; clientSecret: string | null } | null;
}

/** What a scope needs to connect remote servers. */
export interface ConnectionPorts {
  /** The scope's name. */
  name: string;
  /** The configured servers, and those that were added here. */
  readonly servers: readonly ConnectableServer[];
  connections: ConnectionStore;
  /** Null if no key is configured, so that nothing can be connected. */
  seal: Seal | null;
  ask: OAuthFetch;
  /**
   * Returns the WWW-Authenticate header with which a server answers a request without a token. Undefined if it answered without wanting one. Throws
   * what the connection throws.
   */
  askForChallenge: (server: ConnectableServer) => Promise<string | null | undefined>;
  /** Why an address must not be requested; null if it may be. */
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

/** Says why an address is refused, as part of a sentence. Only https on the public internet and what the operator allows are accepted. */
export function whyNotAsked(address: string, privateHosts: ReadonlySet<string>): string | null {
  const checked = checkSecureUrl(address, privateHosts);
  return checked.ok ? null : `an address of the authorization server is refused: ${checked.reason}`;
}

/** Makes a guarded fetch: checks each address, follows no redirect, reads at most 256 KiB, and waits at most eight seconds. */
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
      // The body is read within the time limit, so that the caller reads it from memory. Some statuses have no body. A longer body isn't a
      // metadata document but a page saying that there is none, so it is dropped: another address may have the document.
      return new Response(cut || bytes.length === 0 ? null : new Uint8Array(bytes), response);
    } finally {
      limit.release();
    }
  };
}

/** Makes the function that asks a server for its tools without a token. */
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

/** Makes random secrets. A PKCE verifier comes with the digest that is shown in its place. */
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
