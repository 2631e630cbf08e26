// One consent: the address to which a person is sent, what may come back from there, and the tokens that follow from it, now and later.
import { minLength, object, optional, string, unknown } from "zod/mini";
import type { OAuthClient } from "./client.ts";
import { codeOf, type Discovered, type OAuthFetch, type OAuthResult, readJsonBody } from "./discovery.ts";

/** What is remembered until the person comes back. It is one record, so that nothing in it can be mixed with another consent. */
export interface Consent {
  client: OAuthClient;
  resource: string;
  tokenEndpoint: string;
  /** The issuer must name itself when the person comes back. */
  namesItself: boolean;
  redirectUri: string;
  verifier: string;
  scope: string | null;
}

/** Tokens, and everything that is needed to get the next ones. */
export interface Grant {
  client: OAuthClient;
  resource: string;
  tokenEndpoint: string;
  accessToken: string;
  /** Null: the consent can't be renewed without a person. */
  refreshToken: string | null;
  /** Epoch milliseconds; null: the server did not say. */
  expiresAt: number | null;
  scope: string | null;
}

/** All consents of one place are stored in one row. No token that fits into a request is this long. */
const MAX_KEPT_CHARS = 32_768;

/** Returns why it can't be stored; null if it can. */
export const faultOfKept = (kept: Consent | Grant): string | null =>
  JSON.stringify(kept).length > MAX_KEPT_CHARS ? "the authorization server sent too long an answer" : null;

/** A random secret, and the digest that is sent before it (RFC 7636). */
export interface Pkce {
  verifier: string;
  challenge: string;
}

/**
 * Google issues a refresh token only if it is requested in Google's own way and, after the first time, only if consent is requested again
 * (developers.google.com/identity/protocols/oauth2/web-server#offline). Only sent to Google: with some others, requesting consent again needs an
 * administrator.
 */
const GOOGLE_RENEWS = { access_type: "offline", prompt: "consent" };

/** The input of a request for a person's consent. */
export interface ConsentRequest {
  client: OAuthClient;
  redirectUri: string;
  pkce: Pkce;
  state: string;
  /** The rights that the remote server wants; null: it has named none. */
  wanted: string | null;
  /** Rights that were requested before. */
  asked: string | null;
}

/** Builds the address of the authorization server for a person's consent, and what to remember. */
export function authorization(
  found: Discovered,
  { client, redirectUri, pkce, state, ...rights }: ConsentRequest,
): { url: string; consent: Consent } {
  const { resource, issuer } = found;
  const scope = scopeFor(found, rights);
  const url = new URL(issuer.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    code_challenge: pkce.challenge,
    code_challenge_method: "S256",
    state,
    ...namedAt(issuer.authorization_endpoint, resource),
    ...(scope === null ? {} : { scope }),
    ...(url.hostname === "accounts.google.com" ? GOOGLE_RENEWS : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const consent: Consent = {
    client,
    resource,
    tokenEndpoint: issuer.token_endpoint,
    namesItself: issuer.authorization_response_iss_parameter_supported === true,
    redirectUri,
    verifier: pkce.verifier,
    scope,
  };
  return { url: url.href, consent };
}

/**
 * Names what a token is for, as this endpoint accepts it. Microsoft Entra refuses the parameter unless it is the name of the application itself,
 * which an MCP server's address hardly ever is (vscode#321249, powerbi-modeling-mcp#68): there the rights name the server, and a token is valid
 * only for the server whose rights it has.
 */
const namedAt = (endpoint: string, resource: string): { resource?: string } =>
  ENTRA.test(endpoint) ? {} : { resource };

const ENTRA = /^https:\/\/login\.microsoftonline\.(?:com|us)\/[^/]+\/oauth2\/v2\.0\//;

/**
 * Returns the rights to request: those that the server asks for, or else all that it knows, or else null; with the right to renew if there is
 * one.
 */
export function scopeFor(
  { issuer, scopes }: Discovered,
  { wanted, asked }: Pick<ConsentRequest, "wanted" | "asked">,
): string | null {
  const words: string[] = `${asked ?? ""} ${wanted ?? scopes?.join(" ") ?? ""}`.match(/\S+/g) ?? [];
  if (issuer.scopes_supported?.includes("offline_access")) words.push("offline_access");
  return words.length === 0 ? null : [...new Set(words)].join(" ");
}

/**
 * Returns the code that came back, if it came from the issuer that was asked. If this issuer refuses, only its error's code is shown, and nothing
 * at all from another issuer. The caller has found the consent by its state, and has removed it: a state can be used only once.
 */
export function readReturn(consent: Consent, returned: URLSearchParams): OAuthResult<string> {
  const issuer = returned.get("iss");
  const isOther = issuer === null ? consent.namesItself : issuer !== consent.client.issuer;
  if (isOther) return { ok: false, error: "the answer did not come from the server that was asked" };
  const code = returned.get("code");
  const error = returned.get("error");
  if (error !== null || code === null || code === "")
    return { ok: false, error: `the authorization server gave no permission${codeOf(error)}` };
  return { ok: true, value: code };
}

/** Exchanges a code for tokens. Throws what `ask` throws. A code can be exchanged only once. */
export function exchange(consent: Consent, code: string, now: number, ask: OAuthFetch): Promise<Obtained> {
  const { redirectUri, verifier, resource, tokenEndpoint } = consent;
  const parameters = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...namedAt(tokenEndpoint, resource),
  };
  return obtain(consent, null, parameters, now, ask);
}

/** Gets the next tokens. Throws what `ask` throws. Must not run twice at once: many servers end a consent if its old token is used again. */
export async function renew(grant: Grant, refreshToken: string, now: number, ask: OAuthFetch): Promise<Obtained> {
  const parameters = { grant_type: "refresh_token", refresh_token: refreshToken };
  // Some servers refuse the resource, with any error, and renew for the rights instead: those in front of Microsoft Entra do (python-sdk#2578,
  // typescript-sdk#2718). Some accept no rights here (LibreChat#13412). The consent was given for this resource and these rights alone, and a
  // renewal does not extend it.
  const { tokenEndpoint, resource, scope } = grant;
  const forWhat = [namedAt(tokenEndpoint, resource), scope === null ? {} : { scope }];
  for (const named of forWhat.filter((parameter) => Object.keys(parameter).length > 0)) {
    const obtained = await obtain(grant, refreshToken, { ...parameters, ...named }, now, ask);
    if (obtained.ok || !obtained.isMisread) return obtained;
  }
  return obtain(grant, refreshToken, parameters, now, ask);
}

/**
 * Tokens, or a refusal. `isOver`: the consent has ended, and only a person can give another. `isMisread`: what the server refused was not the
 * consent.
 */
export type Obtained = { ok: true; value: Grant } | { ok: false; error: string; isOver: boolean; isMisread?: boolean };

/**
 * Types of tokens that are worthless without proof of possession. All others are sent as they are: some servers leave out the type, or use their
 * own.
 */
const NEEDS_PROOF = /^(?:dpop|pop|mac)$/i;

/** Built only when needed. */
const tokenSchema = () =>
  object({
    access_token: string().check(minLength(1)),
    token_type: optional(unknown()),
    expires_in: optional(unknown()),
    refresh_token: optional(unknown()),
    scope: optional(unknown()),
  });

async function obtain(
  known: Pick<Grant, "client" | "resource" | "tokenEndpoint" | "scope">,
  refreshToken: string | null,
  parameters: Record<string, string>,
  now: number,
  ask: OAuthFetch,
): Promise<Obtained> {
  const { client, tokenEndpoint, resource } = known;
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", accept: "application/json" });
  const body = new URLSearchParams(parameters);
  const { clientId, clientSecret } = client;
  if (client.method === "client_secret_basic" && clientSecret !== null)
    headers.set("authorization", `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`);
  else body.set("client_id", clientId);
  if (client.method === "client_secret_post" && clientSecret !== null) body.set("client_secret", clientSecret);
  const response = await ask(tokenEndpoint, { method: "POST", headers, body: body.toString() });
  const answer = await readJsonBody(response);
  const saidError = (answer as { error?: unknown } | null)?.error;
  if (!response.ok) {
    const isOver = response.status === 400 || response.status === 401;
    const isMisread = response.status === 400 && saidError !== "invalid_grant";
    return {
      ok: false,
      error: `the authorization server refused with ${response.status}${codeOf(saidError)}`,
      isOver,
      isMisread,
    };
  }
  const read = tokenSchema().safeParse(answer);
  if (!read.success || NEEDS_PROOF.test(String(read.data.token_type))) {
    // GitHub refuses with a success status.
    const isOver = /^invalid_grant|refresh_token/.test(String(saidError));
    return {
      ok: false,
      error: `the authorization server returned no usable token${codeOf(saidError)}`,
      isOver,
    };
  }
  const { access_token: accessToken, expires_in, refresh_token: next, scope } = read.data;
  // Some servers write nothing, or zero, for an unknown time.
  const seconds = Number(expires_in);
  const expiresAt = Number.isFinite(seconds) && seconds > 0 ? now + seconds * 1000 : null;
  const grant = {
    client,
    resource,
    tokenEndpoint,
    accessToken,
    refreshToken: said(next) ?? refreshToken,
    expiresAt,
    scope: said(scope) ?? known.scope,
  };
  const fault = faultOfKept(grant);
  return fault === null ? { ok: true, value: grant } : { ok: false, error: fault, isOver: false };
}

const said = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Encodes a value as in a form (RFC 6749, 2.3.1). */
const formEncoded = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);
