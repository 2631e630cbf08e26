// Our identity at an authorization server: what the operator registered there, the address of our own metadata, or what the server gives
// us when we register ourselves. What one issuer gave is never shown to another.
import { minLength, nullish, object, string } from "zod/mini";
import { codeOf, type IssuerMetadata, type OAuthFetch, type OAuthResult, readJsonBody } from "./discovery.ts";

/** How the token endpoint recognizes us. */
export type AuthMethod = "none" | "client_secret_basic" | "client_secret_post";

/** Our identity at one issuer. */
export interface OAuthClient {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  method: AuthMethod;
  /** The redirect address with which we registered ourselves. Missing: we did not, or an older program did. */
  redirectUri?: string;
  /** The rights for which we registered there, separated by spaces. Missing: for none in particular. */
  scope?: string;
}

/** The identities that we can have at any issuer. */
export interface ClientFacts {
  redirectUri: string;
  /** The https address of our own metadata; null: there is none. */
  metadataUrl: string | null;
  /** What the operator registered by hand. */
  registered: { clientId: string; clientSecret: string | null } | null;
  /** The rights that will be requested; null: none are named. */
  scope?: string | null;
}

/** Chooses or obtains an identity at this issuer. `known` is one that it gave before. Throws what `ask` throws. */
export async function clientAt(
  issuer: IssuerMetadata,
  facts: ClientFacts,
  known: OAuthClient | null,
  ask: OAuthFetch,
): Promise<OAuthResult<OAuthClient>> {
  const { registered, metadataUrl } = facts;
  const at = { issuer: issuer.issuer };
  if (registered)
    return { ok: true, value: { ...at, ...registered, method: methodFor(issuer, registered.clientSecret) } };
  if (metadataUrl !== null && issuer.client_id_metadata_document_supported === true)
    return { ok: true, value: { ...at, clientId: metadataUrl, clientSecret: null, method: "none" } };
  const isSameWay = (known?.redirectUri ?? facts.redirectUri) === facts.redirectUri;
  const mayAsk = known?.scope === undefined || isWithin(facts.scope, known.scope);
  if (known?.issuer === issuer.issuer && isSameWay && mayAsk) return { ok: true, value: known };
  if (issuer.registration_endpoint == null)
    return { ok: false, error: "the authorization server only accepts programs registered by hand" };
  return register(issuer, issuer.registration_endpoint, facts.redirectUri, facts.scope ?? null, ask);
}

const isWithin = (scope: string | null | undefined, whole: string): boolean =>
  (scope ?? "").split(" ").every((right) => right === "" || whole.split(" ").includes(right));

/**
 * Registers us. With some servers, nobody may request a right for which they were not registered: those built with the protocol's Python library,
 * and Clerk (go-sdk#1102, vercel/ai#19496). Others refuse to register a client for a right that they don't give away like this (Keycloak), so
 * that is tried again without rights.
 */
async function register(
  issuer: IssuerMetadata,
  endpoint: string,
  redirectUri: string,
  scope: string | null,
  ask: OAuthFetch,
): Promise<OAuthResult<OAuthClient>> {
  const offered = issuer.token_endpoint_auth_methods_supported ?? [];
  const method = offered.includes("none") ? "none" : methodWithSecret(issuer);
  const body = {
    client_name: "Parley",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: "web",
    token_endpoint_auth_method: method,
    ...(scope !== null && { scope }),
  };
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await ask(endpoint, { method: "POST", headers, body: JSON.stringify(body) });
  const said = await readJsonBody(response);
  const read = object({
    client_id: string().check(minLength(1)),
    client_secret: nullish(string()),
    token_endpoint_auth_method: nullish(string()),
  }).safeParse(said);
  if (!response.ok && scope !== null) return register(issuer, endpoint, redirectUri, null, ask);
  if (!response.ok || !read.success)
    return {
      ok: false,
      error: `the authorization server did not register this program${codeOf((said as { error?: unknown } | null)?.error)}`,
    };
  const { client_id: clientId, client_secret: secret, token_endpoint_auth_method: given } = read.data;
  const clientSecret = secret ?? null;
  const chosen = isMethod(given) ? given : methodFor(issuer, clientSecret);
  const value = { issuer: issuer.issuer, clientId, clientSecret, method: chosen, redirectUri };
  return { ok: true, value: { ...value, ...(scope !== null && { scope }) } };
}

const isMethod = (method: string | null | undefined): method is AuthMethod =>
  method === "none" || method === "client_secret_basic" || method === "client_secret_post";

const methodFor = (issuer: IssuerMetadata, secret: string | null): AuthMethod =>
  secret === null ? "none" : methodWithSecret(issuer);

/**
 * Chooses how to send a secret. A server that says nothing expects Basic (RFC 8414). Of those that offer both, some accept the secret only in the
 * body, as most clients send it: FastMCP's proxy does (fastmcp#4600).
 */
const methodWithSecret = ({ token_endpoint_auth_methods_supported: offered }: IssuerMetadata): AuthMethod =>
  offered?.includes("client_secret_post") ? "client_secret_post" : "client_secret_basic";
