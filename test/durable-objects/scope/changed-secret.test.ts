// The operator's registration with an authorization server, whose secret expires and is replaced by a new one.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ConnectableServer } from "../../../durable-objects/scope/connection-ports.ts";
import { connecting } from "./connections-arrange.ts";

let world: Awaited<ReturnType<typeof connecting>>;
/** Who asked for tokens, in order: name and secret. */
let askers: string[];

beforeEach(async () => {
  world = await connecting();
  askers = [];
  world.provider.metadata = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
  const { fetch: answer } = world.provider;
  world.provider.fetch = async (request) => {
    const form = new URLSearchParams(request.url.endsWith("/token") ? await request.clone().text() : "");
    if (form.has("client_id")) askers.push(`${form.get("client_id")}:${form.get("client_secret")}`);
    return answer(request);
  };
});
afterEach(() => world.close());

/** Gives this registration to the scope's next life. */
const deploy = (registered: ConnectableServer["registered"]) => {
  const usual = world.scopes.connectionPorts;
  world.scopes.connectionPorts = (name, connections) => ({
    ...usual(name, connections),
    servers: [{ ...world.server, registered }],
  });
  world.scopes.crash();
};

it.each([
  ["the new one", { clientId: "ours", clientSecret: "new" }, "ours:new"],
  ["the one of the client that the person agreed to", { clientId: "another", clientSecret: "new" }, "ours:old"],
  ["the known one if its variable is missing", { clientId: "ours", clientSecret: null }, "ours:old"],
  ["the known one if none is registered any more", null, "ours:old"],
])("tokens are renewed with a secret: %s", async (_what, registered, asker) => {
  deploy({ clientId: "ours", clientSecret: "old" });
  await world.connect();
  deploy(registered);
  world.scopes.clock.now += 3_600_000;
  expect(await world.channel().call()).toMatchObject({ ok: true });
  expect(askers).toEqual(["ours:old", asker]);
});
