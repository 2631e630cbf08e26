// Who issues tokens for a server that only describes its authorization server, as servers of 2025-03-26 do: no server can pass for another.
// Also which names belong to the same authorization server, and what null means in any of these documents.
import { describe, expect, it } from "vitest";
import { clientAt, type OAuthClient } from "../../src/mcp/oauth/client.ts";
import { discover } from "../../src/mcp/oauth/discovery.ts";

const SERVER = "https://wiki.example/mcp";
const NOTHING = { resourceMetadata: null, scope: null, error: null };
const METADATA = {
  authorization_endpoint: "https://login.example/authorize",
  token_endpoint: "https://wiki.example/token",
  registration_endpoint: "https://wiki.example/register",
};
/** The client that this issuer gave us before. */
const clientOf = (issuer: string): OAuthClient => ({
  issuer,
  clientId: "known",
  clientSecret: "a secret",
  method: "client_secret_basic",
});

/** The client that is used with a server whose metadata names this issuer. */
async function clientFor(issuer: string, known: OAuthClient) {
  const ask = async (url: string) => {
    if (url === "https://wiki.example/.well-known/oauth-authorization-server")
      return Response.json({ issuer, ...METADATA });
    return url === METADATA.registration_endpoint
      ? Response.json({ client_id: "new" }, { status: 201 })
      : new Response(null, { status: 404 });
  };
  const found = await discover(SERVER, NOTHING, ask);
  if (!found.ok) throw new Error(found.error);
  const facts = { redirectUri: "https://parley.example/oauth/callback", metadataUrl: null, registered: null };
  return clientAt(found.value.issuer, facts, known, ask);
}

describe("a server without metadata of its own", () => {
  it.each(["https://wiki.example", "https://wiki.example/"])("is recognized by its own name %s", async (issuer) => {
    expect(await clientFor(issuer, clientOf(issuer))).toMatchObject({ ok: true, value: { clientId: "known", issuer } });
  });

  it("may describe its authorization server as OpenID Connect does", async () => {
    const ask = async (url: string) =>
      url === "https://wiki.example/.well-known/openid-configuration"
        ? Response.json({ issuer: "https://wiki.example", ...METADATA })
        : new Response(null, { status: 404 });
    const found = await discover(SERVER, NOTHING, ask);
    expect(found).toMatchObject({ ok: true, value: { resource: SERVER, issuer: METADATA } });
  });

  it.each(["https://login.example", "https://wiki.example.org", ""])(
    "that takes the name %j does not get the client that the real issuer gave us",
    async (issuer) => {
      const shown = await clientFor(issuer, clientOf(issuer));
      expect(shown).toMatchObject({
        ok: true,
        value: { clientId: "new", clientSecret: null, issuer: "https://wiki.example" },
      });
    },
  );
});

describe("a server that points to its own metadata where there is none", () => {
  const challenge = { ...NOTHING, resourceMetadata: "https://wiki.example/inner/metadata" };
  const found = async (documents: Record<string, object>) => {
    const asked: string[] = [];
    const ask = async (url: string) => {
      asked.push(url);
      return documents[url] ? Response.json(documents[url]) : new Response(null, { status: 404 });
    };
    return { answer: await discover(SERVER, challenge, ask), asked };
  };

  it.each(["/mcp", ""])("is asked for it at the usual place, with the path %j", async (path) => {
    const { answer } = await found({
      [`https://wiki.example/.well-known/oauth-protected-resource${path}`]: {
        resource: SERVER,
        authorization_servers: ["https://login.example"],
      },
      "https://login.example/.well-known/oauth-authorization-server": { issuer: "https://login.example", ...METADATA },
    });
    expect(answer).toMatchObject({
      ok: true,
      value: { resource: SERVER, issuer: { issuer: "https://login.example" } },
    });
  });

  it("is not treated as one without metadata, even if there is none at the usual places either", async () => {
    const { answer, asked } = await found({});
    expect(answer).toEqual({ ok: false, error: "the server's metadata can't be read" });
    expect(asked).toEqual([
      "https://wiki.example/inner/metadata",
      "https://wiki.example/.well-known/oauth-protected-resource/mcp",
      "https://wiki.example/.well-known/oauth-protected-resource",
    ]);
  });
});

describe("an authorization server that a server's metadata names", () => {
  const found = async (named: string, issuer: string) => {
    const documents: Record<string, object> = {
      "https://wiki.example/.well-known/oauth-protected-resource/mcp": {
        resource: SERVER,
        authorization_servers: [named],
      },
    };
    const ask = async (url: string) => Response.json(documents[url] ?? { issuer, ...METADATA });
    const answer = await discover(SERVER, NOTHING, ask);
    return answer.ok ? answer.value.issuer.issuer : answer.error;
  };

  it.each([
    ["https://login.example/", "https://login.example"],
    ["https://login.example", "https://login.example/"],
    ["https://login.example:8443/", "https://login.example:8443"],
    ["https://auth.atlassian.example/tenant", "https://auth.atlassian.example"],
    ["https://login.entra.example/organizations/v2.0", "https://login.entra.example/{tenantid}/v2.0"],
  ])("as %s is the one that calls itself %s, because it is on the same host", async (named, issuer) => {
    expect(await found(named, issuer)).toBe(issuer);
  });

  it.each([
    ["https://login.example/", "https://login.example.org"],
    ["https://login.example/", "https://login.example:8443"],
    ["https://login.example/", "http://login.example"],
    ["https://login.example/", ""],
  ])("as %s is not the one that calls itself %j", async (named, issuer) => {
    expect(await found(named, issuer)).toBe("the authorization server's metadata gives another issuer");
  });

  it.each(["https://wiki.example/", "https://wiki.example/mcp", "https://wiki.example:443/mcp"])(
    "as %s, which is the server itself, keeps that name whatever its description says",
    async (named) => {
      expect(await found(named, "https://login.example")).toBe(named);
    },
  );
});

it("null means that an authorization server, a resource or a registration does not say", async () => {
  const origin = "https://wiki.example";
  const documents: Record<string, object> = {
    "/.well-known/oauth-protected-resource/mcp": {
      resource: SERVER,
      authorization_servers: [origin],
      scopes_supported: null,
    },
    "/.well-known/oauth-authorization-server": {
      issuer: origin,
      ...METADATA,
      scopes_supported: null,
      token_endpoint_auth_methods_supported: null,
      code_challenge_methods_supported: null,
      client_id_metadata_document_supported: null,
      authorization_response_iss_parameter_supported: null,
    },
    "/register": { client_id: "new", client_secret: null, token_endpoint_auth_method: null },
  };
  const ask = async (url: string) => Response.json(documents[new URL(url).pathname] ?? {});
  const found = await discover(SERVER, NOTHING, ask);
  if (!found.ok) throw new Error(found.error);
  expect(found.value.scopes).toBeNull();
  const facts = { redirectUri: "https://parley.example/oauth/callback", metadataUrl: null, registered: null };
  expect(await clientAt(found.value.issuer, facts, null, ask)).toMatchObject({
    ok: true,
    value: { clientId: "new", clientSecret: null, method: "none" },
  });
  const unknown = await clientAt({ ...found.value.issuer, registration_endpoint: null }, facts, null, ask);
  expect(unknown).toEqual({
    ok: false,
    error: "the authorization server only accepts programs registered by hand",
  });
});

describe("a secret", () => {
  const facts = { redirectUri: "https://parley.example/oauth/callback", metadataUrl: null };
  const issuer = (methods: string[] | null) => ({
    issuer: "https://login.example",
    ...METADATA,
    token_endpoint_auth_methods_supported: methods,
  });

  it.each([
    [["client_secret_basic", "client_secret_post"], "client_secret_post"],
    [["client_secret_post"], "client_secret_post"],
    [["client_secret_basic"], "client_secret_basic"],
    [["private_key_jwt"], "client_secret_basic"],
    [[], "client_secret_basic"],
    [null, "client_secret_basic"],
  ])("is sent to a server that accepts %j as %s", async (methods, method) => {
    const wanted: unknown[] = [];
    const ask = async (_url: string, init: RequestInit = {}) => {
      wanted.push(JSON.parse(String(init.body)).token_endpoint_auth_method);
      return Response.json({ client_id: "new", client_secret: "a secret" }, { status: 201 });
    };
    const registered = { clientId: "ours", clientSecret: "a secret" };
    const given = await clientAt(issuer(methods), { ...facts, registered }, null, ask);
    const made = await clientAt(issuer(methods), { ...facts, registered: null }, null, ask);
    expect([given, made]).toMatchObject([
      { ok: true, value: { clientId: "ours", method } },
      { ok: true, value: { clientId: "new", method } },
    ]);
    expect(wanted).toEqual([method]);
  });
});
