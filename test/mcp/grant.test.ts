// The address where a person consents: what one authorization server must be asked, and no other.
import { describe, expect, it } from "vitest";
import { authorization } from "../../src/mcp/oauth/grant.ts";

/** What is asked of the issuer with this authorization endpoint. */
function askedAt(endpoint: string): URLSearchParams {
  const issuer = {
    issuer: new URL(endpoint).origin,
    authorization_endpoint: endpoint,
    token_endpoint: "https://login.example/token",
  };
  const client = { issuer: issuer.issuer, clientId: "known", clientSecret: null, method: "none" as const };
  const found = { resource: "https://wiki.example/mcp", issuer, scopes: null };
  const pkce = { verifier: "verifier", challenge: "challenge" };
  const { url } = authorization(found, client, "https://parley.example/back", pkce, "state", null, null);
  return new URL(url).searchParams;
}

describe("the address of a consent", () => {
  it("asks Google for a token that renews", () => {
    const asked = askedAt("https://accounts.google.com/o/oauth2/v2/auth");
    expect([asked.get("access_type"), asked.get("prompt")]).toEqual(["offline", "consent"]);
  });

  it.each([
    "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    "https://accounts.google.com.example/o/oauth2/v2/auth",
    "https://login.example/authorize?next=accounts.google.com",
  ])("asks nothing of the kind of %s", (endpoint) => {
    const asked = askedAt(endpoint);
    expect([asked.get("access_type"), asked.get("prompt")]).toEqual([null, null]);
  });
});
