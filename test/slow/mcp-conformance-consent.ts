// A person's consent for the conformance suites: their authorization servers agree at once, so the click is one request. Everything else
// is what the product does between a refused request and a token.
import { createHash, randomBytes } from "node:crypto";
import { readChallenge } from "../../src/mcp/oauth/challenge.ts";
import { clientAt, type OAuthClient } from "../../src/mcp/oauth/client.ts";
import { discover } from "../../src/mcp/oauth/discovery.ts";
import { authorization, exchange, readReturn, scopeFor } from "../../src/mcp/oauth/grant.ts";
import type { Credentials } from "../../src/mcp/session.ts";

/** What a scenario gives the client. */
export interface Given {
  client_id?: string;
  client_secret?: string;
}

const REDIRECT_URI = "http://localhost:3000/oauth/callback";
/** An address that the suites know. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json";

/** Gets a token for each refused request. */
export function consenting(serverUrl: string, given: Given): Credentials {
  const ask = (to: string, init?: RequestInit) => fetch(to, { ...init, redirect: "manual" });
  let token: string | null = null;
  let client: OAuthClient | null = null;
  let asked: string | null = null;
  return {
    current: async () => token,
    async renew(_refused, header) {
      const challenge = readChallenge(header);
      const found = await discover(serverUrl, challenge, ask);
      if (!found.ok) throw new Error(found.error);
      const { client_id: clientId, client_secret: clientSecret = null } = given;
      const registered = clientId === undefined ? null : { clientId, clientSecret };
      const rights = { wanted: challenge.scope, asked };
      const scope = scopeFor(found.value, rights);
      const facts = { redirectUri: REDIRECT_URI, metadataUrl: METADATA_URL, registered, scope };
      const known = await clientAt(found.value.issuer, facts, client, ask);
      if (!known.ok) throw new Error(known.error);
      client = known.value;
      const verifier = randomBytes(32).toString("base64url");
      const pkce = { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
      const state = randomBytes(16).toString("hex");
      const way = authorization(found.value, { client, redirectUri: REDIRECT_URI, pkce, state, ...rights });
      asked = way.consent.scope;
      const back = new URL((await ask(way.url)).headers.get("location") ?? "");
      if (back.searchParams.get("state") !== state) throw new Error("another state came back");
      const code = readReturn(way.consent, back.searchParams);
      if (!code.ok) throw new Error(code.error);
      const obtained = await exchange(way.consent, code.value, Date.now(), ask);
      if (!obtained.ok) throw new Error(obtained.error);
      token = obtained.value.accessToken;
      return token;
    },
  };
}
