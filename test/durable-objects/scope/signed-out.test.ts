// A remote server that refuses because access is missing: how soon a sign-in is noticed, and what people are asked to do.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Credentials, createSession } from "../../../src/mcp/session.ts";
import { connecting, GUILD } from "./connections-arrange.ts";

const SIGN_IN = "; anyone who may use `/tools connect` can sign in to it or allow more there";
const LACKS = { "www-authenticate": 'Bearer error="insufficient_scope", scope="all"' };

let world: Awaited<ReturnType<typeof connecting>>;
beforeEach(async () => {
  world = await connecting();
});
afterEach(() => world.close());

const namesOf = async (channel: ReturnType<typeof world.channel>) => (await channel.tools()).map(({ name }) => name);

it("a server that requires a token is asked again after five seconds, because somebody may have signed in", async () => {
  const channel = world.channel();
  expect(await namesOf(channel)).toEqual([]);
  await world.connect();
  world.scopes.clock.now += 4999;
  expect(await namesOf(channel)).toEqual([]);
  world.scopes.clock.now += 1;
  expect(await namesOf(channel)).toEqual(["wiki_look"]);
});

it("a server that is slow to refuse is asked again after twenty times as long, so that it delays few questions", async () => {
  const channel = world.channel();
  const { fetch: answer } = world.provider;
  let slowMs = 1000;
  world.provider.fetch = (request) => {
    world.scopes.clock.now += slowMs;
    slowMs = 0;
    return answer(request);
  };
  expect(await namesOf(channel)).toEqual([]);
  await world.connect();
  world.scopes.clock.now += 19_999;
  expect(await namesOf(channel)).toEqual([]);
  world.scopes.clock.now += 1;
  expect(await namesOf(channel)).toEqual(["wiki_look"]);
});

it("a server whose tokens can't be renewed delays a turn once a minute, like one that is down", async () => {
  await world.connect();
  const channel = world.channel();
  let renewals = 0;
  world.provider.insteadOfTokens = () => {
    renewals++;
    world.scopes.clock.now += 8000;
    return new Response("down", { status: 503 });
  };
  world.scopes.clock.now += 3_600_000;
  for (const pause of [0, 59_999, 1]) {
    world.scopes.clock.now += pause;
    expect(await namesOf(channel)).toEqual([]);
  }
  expect(renewals).toBe(2);
});

it("a call to a disconnected server says how to connect it, and its tools are no longer offered", async () => {
  await world.connect();
  const channel = world.channel();
  await channel.call();
  await world.scopeOf(GUILD).connection({ op: "disconnect", serverId: "wiki" });
  world.scopes.clock.now += 60_000;
  expect(await channel.call()).toMatchObject({ ok: false, error: `wiki answered 401 Unauthorized${SIGN_IN}` });
  expect(await namesOf(channel)).toEqual([]);
});

it.each([
  ["without a word", () => "", "wiki answered 403 Forbidden"],
  [
    "in words",
    (id: unknown) => JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message: "no" } }),
    "wiki: no",
  ],
])(
  "a call that is refused %s because of a missing scope says how to grant it, and the tools stay",
  async (_, body, words) => {
    await world.connect();
    const channel = world.channel();
    await channel.call();
    world.provider.tools.instead = ({ id }) => new Response(body(id), { status: 403, headers: LACKS });
    expect(await channel.call()).toMatchObject({ ok: false, error: words + SIGN_IN });
    world.provider.tools.instead = () => null;
    expect(await channel.call()).toMatchObject({ ok: true });
  },
);

describe("a server whose access the bot's owner has set", () => {
  const ask = (renew: Credentials["renew"]) =>
    createSession(
      { ...world.server, headers: { Authorization: "Bearer old" }, credentials: { current: async () => null, renew } },
      { fetch: (url, init) => fetch(url, init), after: () => () => {}, keepAlive: () => {}, version: "0.0.1" },
      () => {},
    ).request("tools/list", {}, new AbortController().signal);
  const REFUSED = { ok: false, error: "wiki answered 401 Unauthorized" };

  it("asks nobody to sign in to it", async () => {
    expect(await ask(async () => null)).toMatchObject(REFUSED);
  });

  it("is not used with the access that somebody gave before that", async () => {
    await world.connect();
    const wish = { op: "token", serverId: "wiki", url: world.server.url, refused: null, challenge: null } as const;
    const given = await world.scopeOf(GUILD).connection(wish);
    expect(await ask(async () => (given.op === "token" ? given.token : null))).toMatchObject(REFUSED);
  });

  it("doesn't keep access that somebody was about to give when the owner set it", async () => {
    const page = await world.open(await world.agree(await world.begin()));
    const usual = world.scopes.connectionPorts;
    world.scopes.connectionPorts = (name, connections) => ({
      ...usual(name, connections),
      servers: [{ ...world.server, isFixed: true }],
    });
    world.scopes.crash();
    expect(await world.confirm(world.codeOn(page))).toEqual({ op: "refused", fault: "wrong_code" });
  });
});
