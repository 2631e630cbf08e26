// Who gives tokens for a server that describes only its authorization server, as those of 2025-03-26 do: nobody passes for another there.
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

/** The client that is shown to a server whose metadata names this issuer. */
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
  it.each(["https://wiki.example", "https://wiki.example/"])("is known again by its own name %s", async (issuer) => {
    expect(await clientFor(issuer, clientOf(issuer))).toMatchObject({ ok: true, value: { clientId: "known", issuer } });
  });

  it.each(["https://login.example", "https://wiki.example.org", ""])(
    "that takes the name %j is not shown what that issuer gave us",
    async (issuer) => {
      const shown = await clientFor(issuer, clientOf(issuer));
      expect(shown).toMatchObject({
        ok: true,
        value: { clientId: "new", clientSecret: null, issuer: "https://wiki.example" },
      });
    },
  );
});
