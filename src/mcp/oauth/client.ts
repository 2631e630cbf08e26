// Who we are for an authorization server: what the operator registered there, the address of our own metadata, or what it gives us on
// the spot. What one issuer gave is never shown to another.
import { minLength, nullish, object, string } from "zod/mini";
import { codeOf, type IssuerMetadata, type OAuthFetch, type OAuthResult, readJsonBody } from "./discovery.ts";

/** How the token endpoint learns that it is we who ask. */
export type AuthMethod = "none" | "client_secret_basic" | "client_secret_post";

/** Our name at one issuer. */
export interface OAuthClient {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  method: AuthMethod;
  /** The way back that it was registered with on the spot. Missing: it was not, or by an older program. */
  redirectUri?: string;
  /** The rights that it was registered for there, with spaces between them. Missing: for none in particular. */
  scope?: string;
}

/** What we can be at any issuer. */
export interface ClientFacts {
  redirectUri: string;
  /** The https address of our own metadata; null: there is none. */
  metadataUrl: string | null;
  /** What the operator registered by hand. */
  registered: { clientId: string; clientSecret: string | null } | null;
  /** The rights that will be asked for; null: none are named. */
  scope?: string | null;
}

/** Chooses or gets a name at this issuer. `known` is one that it gave before. Throws what `ask` throws. */
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
    return { ok: false, error: "the authorization server only knows programs that were registered with it by hand" };
  return register(issuer, issuer.registration_endpoint, facts.redirectUri, facts.scope ?? null, ask);
}

const isWithin = (scope: string | null | undefined, whole: string): boolean =>
  (scope ?? "").split(" ").every((right) => right === "" || whole.split(" ").includes(right));

/**
 * Some servers let nobody ask for a right that they were not registered for: those with the protocol's Python library, and Clerk
 * (go-sdk#1102, vercel/ai#19496). Others register nobody for one that they don't give away like this (Keycloak).
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
 * Who says nothing takes Basic (RFC 8414). Of those who offer both, some take the secret only in the body, as most clients send it:
 * FastMCP's proxy does (fastmcp#4600).
 */
const methodWithSecret = ({ token_endpoint_auth_methods_supported: offered }: IssuerMetadata): AuthMethod =>
  offered?.includes("client_secret_post") ? "client_secret_post" : "client_secret_basic";
