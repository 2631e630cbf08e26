// What only some authorization servers must be asked, or must not be asked, for a person's consent and for its tokens.
import { describe, expect, it } from "vitest";
import { authorization, exchange, type Grant, renew } from "../../src/mcp/oauth/grant.ts";

/** Everything that an issuer with these endpoints is asked: the address of the consent, the exchange of its code, and a renewal. */
async function askedAt(authorizationEndpoint: string, tokenEndpoint: string) {
  const issuer = {
    issuer: new URL(authorizationEndpoint).origin,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
  };
  const client = { issuer: issuer.issuer, clientId: "known", clientSecret: null, method: "none" as const };
  const found = { resource: "https://wiki.example/mcp", issuer, scopes: ["api://wiki/read"] };
  const pkce = { verifier: "verifier", challenge: "challenge" };
  const redirectUri = "https://parley.example/back";
  const request = { client, redirectUri, pkce, state: "state", wanted: null, asked: null };
  const { url, consent } = authorization(found, request);
  const forms: URLSearchParams[] = [];
  const ask = async (_url: string, init: RequestInit = {}) => {
    forms.push(new URLSearchParams(String(init.body)));
    return Response.json({ access_token: "token", refresh_token: "next" });
  };
  const obtained = await exchange(consent, "code", 0, ask);
  const grant = (obtained as { value: Grant }).value;
  await renew(grant, "next", 0, ask);
  return { consent: new URL(url).searchParams, forms };
}

describe("Google", () => {
  it("is asked for a token that renews", async () => {
    const { consent } = await askedAt(
      "https://accounts.google.com/o/oauth2/v2/auth",
      "https://oauth2.googleapis.com/token",
    );
    expect([consent.get("access_type"), consent.get("prompt")]).toEqual(["offline", "consent"]);
  });
});

describe("Microsoft Entra", () => {
  it.each(["com", "us"])("is given only the rights, at each step, at .%s", async (end) => {
    const tenant = `https://login.microsoftonline.${end}/contoso/oauth2/v2.0`;
    const { consent, forms } = await askedAt(`${tenant}/authorize`, `${tenant}/token`);
    expect([consent, ...forms].map((asked) => asked.get("resource"))).toEqual([null, null, null]);
    expect([consent.get("scope"), forms[1]?.get("scope")]).toEqual(["api://wiki/read", "api://wiki/read"]);
  });
});

describe("any other", () => {
  it.each([
    "https://accounts.google.com.example/o/oauth2/v2/auth",
    "https://login.example/authorize?next=accounts.google.com",
    "https://login.example/contoso/oauth2/v2.0/authorize",
    "https://login.microsoftonline.com.example/contoso/oauth2/v2.0/authorize",
    "https://login.microsoftonline.com/contoso/oauth2/authorize",
  ])("is given the resource at each step, and nothing special: %s", async (endpoint) => {
    const { consent, forms } = await askedAt(endpoint, endpoint);
    expect([consent, ...forms].map((asked) => asked.get("resource"))).toEqual(
      Array.from({ length: 3 }, () => "https://wiki.example/mcp"),
    );
    expect([consent.get("access_type"), consent.get("prompt")]).toEqual([null, null]);
  });
});
