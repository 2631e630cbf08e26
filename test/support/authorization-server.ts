// A remote server that requires a token, and the authorization server that issues it, as one request handler: strict about OAuth's rules for
// clients. It revokes a consent whose old refresh token is used again, as real ones do. Written from the protocol, without looking at our client.
import { createHash, randomBytes } from "node:crypto";
import { listed } from "./mcp-server.ts";
import { type ModernServer, modernServer } from "./modern-mcp-server.ts";

/** The server, and what a test changes or looks at. */
export interface AuthorizationServer {
  fetch(request: Request): Promise<Response>;
  /** The tools behind the token. */
  tools: ModernServer;
  /** The test sets it once the address is known. */
  origin: string;
  /** Fields of the metadata documents that replace the usual ones. */
  metadata: object;
  resource: object;
  /** Rules that the client broke. */
  violations: string[];
  /** Paths of all requests, in order. */
  asked: string[];
  /** Grant types that the token endpoint was asked for, in order. */
  grants: string[];
  /** How long a token is valid, in seconds; null: the answer doesn't say. */
  seconds: number | null;
  /** Access tokens that are valid now. */
  good: Set<string>;
  /** Every secret that was issued. */
  secrets: string[];
  /** What the token endpoint answers instead, unless null. */
  insteadOfTokens: (() => Response) | null;
  /** The error with which the token endpoint refuses every request that names a resource; null: it supports resources. */
  refusesResource: string | null;
  /** Whether a renewal must name its scopes, or must not. */
  rightsAtRenewal: "wanted" | "refused" | null;
  /** A person follows a link and agrees. Returns where their browser is redirected. */
  agree(url: string): Promise<URL>;
  /** Revokes all consents. */
  revoke(): void;
  /** Forgets all registered clients. */
  forget(): void;
}

interface Code {
  challenge: string;
  redirectUri: string;
  clientId: string;
}

/** Makes one. */
export function authorizationServer(): AuthorizationServer {
  const codes = new Map<string, Code>();
  /** Refresh tokens: true for the valid one, false for those before it. */
  const refresh = new Map<string, boolean>();
  const clients = new Set<string>();
  const secret = () => {
    const made = randomBytes(24).toString("base64url");
    server.secrets.push(made);
    return made;
  };

  const server: AuthorizationServer = {
    tools: modernServer(listed("look")),
    origin: "",
    metadata: {},
    resource: {},
    violations: [],
    asked: [],
    grants: [],
    seconds: 3600,
    good: new Set(),
    secrets: [],
    insteadOfTokens: null,
    refusesResource: null,
    rightsAtRenewal: null,
    revoke() {
      server.good.clear();
      refresh.clear();
    },
    forget: () => clients.clear(),
    async agree(url) {
      const response = await server.fetch(new Request(url));
      return new URL(response.headers.get("location") ?? "about:blank");
    },
    async fetch(request) {
      const url = new URL(request.url);
      server.asked.push(url.pathname);
      switch (url.pathname) {
        case "/mcp":
          return callTools(request);
        case "/.well-known/oauth-protected-resource/mcp":
          return Response.json({
            resource: `${server.origin}/mcp`,
            authorization_servers: [server.origin],
            ...server.resource,
          });
        case "/.well-known/oauth-authorization-server":
          return Response.json(describeItself());
        case "/register":
          return register(request);
        case "/authorize":
          return authorize(url);
        case "/token":
          return giveTokens(request);
        default:
          return new Response("not here", { status: 404 });
      }
    },
  };

  const describeItself = () => ({
    issuer: server.origin,
    authorization_endpoint: `${server.origin}/authorize`,
    token_endpoint: `${server.origin}/token`,
    registration_endpoint: `${server.origin}/register`,
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...server.metadata,
  });

  async function callTools(request: Request): Promise<Response> {
    const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token !== undefined && server.good.has(token)) return server.tools.fetch(request);
    const place = `${server.origin}/.well-known/oauth-protected-resource/mcp`;
    const challenge = `Bearer resource_metadata="${place}", scope="read"`;
    return new Response("no", { status: 401, headers: { "www-authenticate": challenge } });
  }

  async function register(request: Request): Promise<Response> {
    const body = (await request.json()) as { redirect_uris?: string[]; application_type?: string };
    if (!body.redirect_uris?.[0]?.endsWith("/oauth/callback")) server.violations.push("registers no way back");
    const id = `client-${server.asked.filter((path) => path === "/register").length}`;
    clients.add(id);
    return Response.json({ client_id: id, token_endpoint_auth_method: "none" }, { status: 201 });
  }

  function authorize({ searchParams }: URL): Response {
    const of = (name: string) => searchParams.get(name) ?? "";
    const rules: [boolean, string][] = [
      [of("response_type") === "code", "asks for no code"],
      [clients.has(of("client_id")), "is nobody"],
      [of("code_challenge_method") === "S256" && of("code_challenge").length === 43, "has no PKCE"],
      [of("state").length >= 32, "has no state"],
      [of("resource") === `${server.origin}/mcp`, "names another resource"],
      [of("scope") === "read", `asks for the rights ${of("scope")}`],
    ];
    for (const [isKept, rule] of rules) if (!isKept) server.violations.push(`authorize: ${rule}`);
    const code = secret();
    const redirectUri = of("redirect_uri");
    codes.set(code, { challenge: of("code_challenge"), redirectUri, clientId: of("client_id") });
    const back = new URL(redirectUri);
    for (const [name, value] of Object.entries({ code, state: of("state"), iss: server.origin }))
      back.searchParams.set(name, value);
    return new Response(null, { status: 302, headers: { location: back.href } });
  }

  async function giveTokens(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const of = (name: string) => form.get(name) ?? "";
    server.grants.push(of("grant_type"));
    if (server.refusesResource !== null && of("resource") !== "")
      return Response.json({ error: server.refusesResource }, { status: 400 });
    if (server.refusesResource === null && of("resource") !== `${server.origin}/mcp`)
      server.violations.push("token: names another resource");
    if (server.insteadOfTokens) return server.insteadOfTokens();
    if (of("grant_type") === "refresh_token") {
      if (!["", "read"].includes(of("scope"))) server.violations.push("token: more rights than were given");
      const isRefused = server.rightsAtRenewal === (of("scope") === "" ? "wanted" : "refused");
      if (isRefused) return Response.json({ error: "invalid_request" }, { status: 400 });
      return renew(of("refresh_token"));
    }
    const code = codes.get(of("code"));
    codes.delete(of("code"));
    const isProven = code?.challenge === createHash("sha256").update(of("code_verifier")).digest("base64url");
    if (!code || !isProven || code.redirectUri !== of("redirect_uri") || code.clientId !== of("client_id"))
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    return tokens();
  }

  function renew(token: string): Response {
    if (refresh.get(token) !== true) {
      server.violations.push("token: a refresh token was used again, or is unknown");
      server.revoke();
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    refresh.set(token, false);
    server.good.clear();
    return tokens();
  }

  function tokens(): Response {
    const [access, next] = [secret(), secret()];
    server.good.add(access);
    refresh.set(next, true);
    const life = server.seconds === null ? {} : { expires_in: server.seconds };
    return Response.json({ access_token: access, token_type: "Bearer", refresh_token: next, scope: "read", ...life });
  }
  return server;
}
