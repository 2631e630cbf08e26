// Finds out who issues tokens for a server: reads the metadata of the protected resource (RFC 9728), then that of its authorization
// server (RFC 8414 or OpenID Connect). Every address here comes from a stranger, so the caller's `OAuthFetch` checks each request.
import { array, boolean, type infer as Infer, nullish, object, string } from "zod/mini";
import type { Challenge } from "./challenge.ts";

/**
 * Sends a request to an address that a stranger named: refuses addresses that must not be requested, follows no redirect, and has limits of time
 * and size. The answer is in memory. Throws.
 */
export type OAuthFetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Built only when needed: building schemas slows every cold start. Some servers write null for missing values. */
const resourceSchema = () =>
  object({
    resource: string(),
    authorization_servers: nullish(array(string())),
    scopes_supported: nullish(array(string())),
  });
const issuerSchema = () =>
  object({
    issuer: string(),
    authorization_endpoint: string(),
    token_endpoint: string(),
    registration_endpoint: nullish(string()),
    scopes_supported: nullish(array(string())),
    token_endpoint_auth_methods_supported: nullish(array(string())),
    code_challenge_methods_supported: nullish(array(string())),
    client_id_metadata_document_supported: nullish(boolean()),
    authorization_response_iss_parameter_supported: nullish(boolean()),
  });

/** An authorization server as it describes itself. */
export type IssuerMetadata = Infer<ReturnType<typeof issuerSchema>>;

/** Who issues tokens for a server, and for what. */
export interface Discovered {
  /** What a token is requested for: the server's own canonical address. */
  resource: string;
  issuer: IssuerMetadata;
  /** The rights that the server's tokens may have; null: it does not say. */
  scopes: readonly string[] | null;
}

/** A result, or why there is none, in words for the person who connects. */
export type OAuthResult<Value> = { ok: true; value: Value } | { ok: false; error: string };

/** Finds the authorization server of `serverUrl`. Throws only what `ask` throws. May run twice. */
export async function discover(
  serverUrl: string,
  challenge: Challenge,
  ask: OAuthFetch,
): Promise<OAuthResult<Discovered>> {
  const resource = await readResource(serverUrl, challenge, ask);
  if (resource === null && challenge.resourceMetadata !== null)
    return { ok: false, error: "the server's metadata can't be read" };
  if (resource === null) return withoutResource(serverUrl, ask);
  if (!covers(resource.resource, serverUrl)) return { ok: false, error: "the server's metadata is for another URL" };
  const [first] = resource.authorization_servers ?? [];
  if (first === undefined) return withoutResource(serverUrl, ask);
  const issuer = await readIssuer(first, serverUrl, ask);
  if (!issuer.ok) return issuer;
  return {
    ok: true,
    value: { resource: resource.resource, issuer: issuer.value, scopes: resource.scopes_supported ?? null },
  };
}

/** Reads the document that the challenge names or, if it does not exist, those at the usual places: some servers name one that they don't have. */
function readResource(serverUrl: string, { resourceMetadata }: Challenge, ask: OAuthFetch) {
  const { origin, pathname } = new URL(serverUrl);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const usual = pathname === "/" ? [wellKnown] : [wellKnown + pathname, wellKnown];
  return readFirst(resourceSchema(), resourceMetadata === null ? usual : [resourceMetadata, ...usual], ask);
}

/** Whether the resource is the server itself, or contains its path; never another host. */
function covers(resource: string, serverUrl: string): boolean {
  const [whole, part] = [URL.parse(resource), new URL(serverUrl)];
  if (!whole) return false;
  const path = whole.pathname.replace(/\/$/, "");
  return whole.origin === part.origin && (part.pathname === path || part.pathname.startsWith(`${path}/`));
}

/** Lists the places of an issuer's metadata, in the order of the specification. */
function issuerAddresses(issuer: string): string[] {
  const url = URL.parse(issuer);
  if (!url) return [];
  const { origin, pathname } = url;
  const path = pathname.replace(/\/$/, "");
  const inserted = ["oauth-authorization-server", "openid-configuration"].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === "" ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

async function readIssuer(issuer: string, serverUrl: string, ask: OAuthFetch): Promise<OAuthResult<IssuerMetadata>> {
  const found = await readFirst(issuerSchema(), issuerAddresses(issuer), ask);
  if (!found) return { ok: false, error: "the authorization server publishes no metadata" };
  const isItself = originOf(issuer) === originOf(serverUrl);
  if (!isItself && originOf(found.issuer) !== originOf(issuer))
    return { ok: false, error: "the authorization server's metadata gives another issuer" };
  return checkedIssuer(underItsName(found, issuer));
}

/**
 * Puts the metadata under the issuer's name, because one server must not be able to pass for another. Another path on the same host is not
 * another server: Atlassian and Microsoft Entra describe all their tenants under one name (atlassian-mcp-server#205, codex#38973). A remote
 * server that names itself as its issuer may describe itself under another's name, as PagerDuty and Salesforce do (pagerduty-mcp-server#169,
 * mcp-hosted#44); the named server never confirmed that, so its name does not count.
 */
const underItsName = (found: IssuerMetadata, issuer: string): IssuerMetadata =>
  originOf(found.issuer) === originOf(issuer) ? found : { ...found, issuer };

const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : "");

/** Refuses an issuer without PKCE, because a stolen code could then be used. A server that does not mention it is older than that field. */
function checkedIssuer(issuer: IssuerMetadata): OAuthResult<IssuerMetadata> {
  const methods = issuer.code_challenge_methods_supported;
  if (methods && !methods.includes("S256"))
    return { ok: false, error: "the authorization server does not support PKCE with S256" };
  return { ok: true, value: issuer };
}

/** Handles servers of 2025-03-26, which have no resource metadata: they are their own authorization server. */
async function withoutResource(serverUrl: string, ask: OAuthFetch): Promise<OAuthResult<Discovered>> {
  const { origin, href } = new URL(serverUrl);
  const found = (await readFirst(issuerSchema(), issuerAddresses(origin), ask)) ?? {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
  const issuer = checkedIssuer(underItsName(found, origin));
  return issuer.ok ? { ok: true, value: { resource: canonical(href), issuer: issuer.value, scopes: null } } : issuer;
}

/** Returns the address without a fragment, and without a slash that has no meaning. */
function canonical(address: string): string {
  const url = new URL(address);
  url.hash = "";
  return url.pathname === "/" && url.search === "" ? url.origin : url.href;
}

/** Returns the first document of this form at these places; null: there is none. Throws what `ask` throws. */
async function readFirst<Value>(
  form: { safeParse: (json: unknown) => { data?: Value } },
  places: readonly string[],
  ask: OAuthFetch,
): Promise<Value | null> {
  for (const place of places) {
    const response = await ask(place, { headers: { accept: "application/json" } });
    const { data } = form.safeParse(response.ok ? await readJsonBody(response) : null);
    if (data !== undefined) return data;
  }
  return null;
}

/** Returns the code of an OAuth error, to be appended to the words about it. Anything that is not a code is a stranger's sentence, and left out. */
export const codeOf = (error: unknown): string =>
  typeof error === "string" && /^\w{1,40}$/.test(error) ? ` (${error})` : "";

/** Returns the JSON of a response; null if it is not JSON. */
export const readJsonBody = (response: Response): Promise<unknown> => response.json().catch(() => null);
