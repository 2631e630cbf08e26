// The tokens of a connected server: renewed once for all channels, never shown, and useless elsewhere.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSeal } from "../../../src/discord/answers/seal.ts";
import { connecting, GUILD } from "./connections-arrange.ts";

let world: Awaited<ReturnType<typeof connecting>>;
beforeEach(async () => {
  world = await connecting();
  await world.connect();
});
afterEach(() => world.close());

const HOUR_MS = 3_600_000;
const renewals = () => world.provider.grants.filter((grant) => grant === "refresh_token").length;
const listed = async () => {
  const answer = await world.scopeOf(GUILD).connection({ op: "list" });
  return answer.op === "listed" && answer.servers.some(({ isConnected }) => isConnected);
};

describe("expired tokens", () => {
  it("are renewed once when two channels notice it at the same time", async () => {
    const channels = [world.channel(), world.channel(), world.channel()];
    for (const channel of channels) expect(await channel.call()).toMatchObject({ ok: true });
    world.provider.good.clear();
    const answers = await Promise.all(channels.map((channel) => channel.call()));
    expect(answers).toEqual(channels.map(() => ({ ok: true, data: { text: "did look" } })));
    expect([renewals(), world.provider.violations]).toEqual([1, []]);
  });

  it("are renewed once even if one channel is still decrypting them when another has renewed them", async () => {
    const [slow, quick] = [world.channel(), world.channel()];
    await Promise.all([slow.call(), quick.call()]);
    world.provider.good.clear();
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const usual = world.scopes.connectionPorts;
    let opened = 0;
    world.scopes.connectionPorts = (name, connections) => {
      const ports = usual(name, connections);
      const { seal } = ports;
      if (!seal) return ports;
      const open: typeof seal.open = async (sealed, purpose) => {
        begun.resolve();
        if (++opened === 1) await end.promise;
        return seal.open(sealed, purpose);
      };
      return { ...ports, seal: { ...seal, open } };
    };
    world.scopes.crash();
    const late = slow.call();
    await begun.promise;
    expect(await quick.call()).toMatchObject({ ok: true });
    end.resolve();
    expect(await late).toMatchObject({ ok: true });
    expect([renewals(), world.provider.violations]).toEqual([1, []]);
  });

  it("are renewed once when a channel comes later with the old token", async () => {
    const [early, late] = [world.channel(), world.channel()];
    await Promise.all([early.call(), late.call()]);
    world.provider.good.clear();
    await early.call();
    expect(await late.call()).toMatchObject({ ok: true });
    expect([renewals(), world.provider.violations]).toEqual([1, []]);
  });

  it("are renewed before they are sent, also in a later life of the scope", async () => {
    world.scopes.clock.now += HOUR_MS;
    world.scopes.crash();
    expect(await world.channel().call()).toMatchObject({ ok: true });
    expect(renewals()).toBe(1);
  });

  it("are deleted when the consent was revoked: the server is no longer connected and gets no further requests", async () => {
    const channel = world.channel();
    await channel.call();
    world.provider.revoke();
    expect(await channel.call()).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^wiki answered 401 Unauthorized;/),
    });
    expect([await listed(), renewals()]).toEqual([false, 1]);
    await channel.call();
    expect(renewals()).toBe(1);
  });

  it.each(["invalid_request", "invalid_target", "invalid_scope"])(
    "are renewed without a resource if the server refuses it with %s",
    async (error) => {
      const channel = world.channel();
      await channel.call();
      world.provider.good.clear();
      world.provider.refusesResource = error;
      expect(await channel.call()).toMatchObject({ ok: true });
      expect([renewals(), await listed(), world.provider.violations]).toEqual([2, true, []]);
    },
  );

  it.each(["wanted", "refused"] as const)(
    "are renewed without a resource if it is refused and the scopes are %s",
    async (rightsAtRenewal) => {
      const channel = world.channel();
      await channel.call();
      world.provider.good.clear();
      Object.assign(world.provider, { refusesResource: "invalid_target", rightsAtRenewal });
      expect(await channel.call()).toMatchObject({ ok: true });
      expect([await listed(), world.provider.violations]).toEqual([true, []]);
    },
  );

  it("are deleted when the refusal comes with a success status", async () => {
    world.provider.insteadOfTokens = () => Response.json({ error: "bad_refresh_token" });
    world.scopes.clock.now += HOUR_MS;
    expect(await world.channel().call()).toBe("no tool");
    expect(await listed()).toBe(false);
  });

  it("are kept while their issuer is down", async () => {
    world.provider.insteadOfTokens = () => new Response("down", { status: 503 });
    world.scopes.clock.now += HOUR_MS;
    expect(await world.channel().call()).toBe("no tool");
    expect(await listed()).toBe(true);
    world.provider.insteadOfTokens = null;
    expect(await world.channel().call()).toMatchObject({ ok: true });
  });

  it("are not brought back by a renewal that ends after the server was disconnected", async () => {
    const channel = world.channel();
    await channel.call();
    world.provider.good.clear();
    world.provider.insteadOfTokens = () => {
      void world.scopeOf(GUILD).connection({ op: "disconnect", serverId: "wiki" });
      return Response.json({ access_token: "late", token_type: "Bearer" });
    };
    expect(await channel.call()).toMatchObject({ ok: false });
    expect(await listed()).toBe(false);
  });

  it.each([
    ["an empty text as their lifetime", { expires_in: "" }],
    ["a lifetime of zero", { expires_in: 0 }],
    ["null for fields that it does not state", { expires_in: null, refresh_token: null, scope: null }],
    ["an empty refresh token", { refresh_token: "" }],
    ["no type", { token_type: undefined }],
    ["a type of its own", { token_type: "user" }],
  ])("are used until they are refused, and renewed with the old token, if a renewal has %s", async (_, said) => {
    const channel = world.channel();
    await channel.call();
    const { good } = world.provider;
    world.provider.insteadOfTokens = () => {
      const access_token = `token-${renewals()}`;
      good.add(access_token);
      return Response.json({ access_token, token_type: "Bearer", ...said });
    };
    good.clear();
    for (const one of [channel, world.channel(), world.channel()]) expect(await one.call()).toMatchObject({ ok: true });
    expect([renewals(), await listed()]).toEqual([1, true]);
    world.scopes.clock.now += HOUR_MS;
    world.provider.insteadOfTokens = null;
    good.clear();
    expect(await world.channel().call()).toMatchObject({ ok: true });
    expect([renewals(), world.provider.violations]).toEqual([2, []]);
  });

  it("are not sent if they need a proof", async () => {
    const channel = world.channel();
    await channel.call();
    world.provider.good.clear();
    world.provider.insteadOfTokens = () => {
      world.provider.good.add("bound");
      return Response.json({ access_token: "bound", token_type: "DPoP" });
    };
    expect(await channel.call()).toMatchObject({ ok: false });
  });

  it("are renewed at most once a minute for a server that accepts none", async () => {
    const channel = world.channel();
    await channel.call();
    const { tools } = world.provider;
    world.provider.fetch = ((fetched) => async (request: Request) => {
      if (!request.url.endsWith("/mcp")) return fetched(request);
      return tools.methods().length > 99 ? new Response() : new Response("no", { status: 401 });
    })(world.provider.fetch);
    await channel.call();
    await channel.call();
    expect(renewals()).toBe(1);
  });
});

it("a channel keeps a token for a minute", async () => {
  const channel = world.channel();
  await channel.call();
  await channel.call();
  const asked = () => world.scopes.calls.length;
  const before = asked();
  world.scopes.clock.now += 59_999;
  await channel.call();
  expect(asked()).toBe(before);
  world.scopes.clock.now += 1;
  await channel.call();
  expect(asked()).toBeGreaterThan(before);
});

describe("a token", () => {
  const ask = async (refused: string | null = null, challenge: string | null = null) => {
    const wish = { op: "token", serverId: "wiki", url: world.server.url } as const;
    const answer = await world.scopeOf(GUILD).connection({ ...wish, refused, challenge });
    return answer.op === "token" ? answer.token : expect.fail("no answer about a token");
  };
  const lacks = 'Bearer error="insufficient_scope", scope="all"';

  it("with too few scopes is not renewed, and is given to whoever has an older one", async () => {
    const token = await ask();
    expect([token, await ask("an older one", lacks), await ask(token, lacks)]).toEqual([token, token, null]);
    expect(renewals()).toBe(0);
  });

  it("with too few scopes is requested with the missing scope at the next consent", async () => {
    await ask(await ask(), lacks);
    const { location } = await world.open(await world.begin("21"));
    expect(new URL(location).searchParams.get("scope")?.split(" ").sort()).toEqual(["all", "read"]);
  });

  it("is renewed from thirty seconds before it expires, even if it was just renewed", async () => {
    const token = await ask();
    world.scopes.clock.now += HOUR_MS - 30_001;
    expect(await ask()).toBe(token);
    world.scopes.clock.now += 1;
    world.provider.seconds = 30;
    const next = await ask();
    expect([await ask(), renewals()]).not.toEqual([next, 1]);
    expect(renewals()).toBe(2);
  });

  it("that can't be renewed is used until it expires, and only then is the server disconnected", async () => {
    world.provider.insteadOfTokens = () =>
      Response.json({ access_token: "only", token_type: "Bearer", expires_in: 3600 });
    await world.connect();
    world.scopes.clock.now += HOUR_MS - 1;
    expect([await ask(), await listed()]).toEqual(["only", true]);
    world.scopes.clock.now += 1;
    expect([await ask(), await listed()]).toEqual([null, false]);
  });

  it("that can't be renewed at the moment is used until it expires, unless it was refused or disconnected", async () => {
    const token = await ask();
    world.provider.insteadOfTokens = () => new Response("down", { status: 503 });
    world.scopes.clock.now += HOUR_MS - 20_000;
    expect(await Promise.all([ask(), ask()])).toEqual([token, token]);
    expect(await ask(token)).toBe(null);
    world.scopes.clock.now += 20_000;
    expect([await ask(), await listed()]).toEqual([null, true]);
    world.scopes.clock.now -= 20_000;
    world.provider.insteadOfTokens = () => {
      void world.scopeOf(GUILD).connection({ op: "disconnect", serverId: "wiki" });
      return new Response("down", { status: 503 });
    };
    expect([await ask(), await listed()]).toEqual([null, false]);
  });

  it("that is refused is renewed again no sooner than a minute after the last time", async () => {
    await ask(await ask());
    world.scopes.clock.now += 59_999;
    expect([await ask(await ask()), renewals()]).toEqual([null, 1]);
    world.scopes.clock.now += 1;
    expect([await ask(await ask()), renewals()]).toEqual([expect.any(String), 2]);
  });

  it("that is refused is renewed even if the clock was set back since the last time", async () => {
    const first = await ask(null);
    world.scopes.clock.now += 10 * HOUR_MS;
    const second = await ask(first);
    world.scopes.clock.now -= 10 * HOUR_MS;
    world.provider.good.clear();
    expect([await ask(second), renewals()]).toEqual([expect.any(String), 2]);
  });

  it("with too few scopes is not restored after the server was disconnected", async () => {
    const { url } = world.server;
    const wish = { op: "token", serverId: "wiki", url } as const;
    const scope = world.scopeOf(GUILD);
    const answer = await scope.connection({ ...wish, refused: null, challenge: null });
    const refused = answer.op === "token" ? answer.token : null;
    const lacking = scope.connection({ ...wish, refused, challenge: 'Bearer error="insufficient_scope", scope="all"' });
    await scope.connection({ op: "disconnect", serverId: "wiki" });
    await lacking;
    expect([refused, await listed()]).toEqual([expect.any(String), false]);
  });

  it("is never used for another address, server or place", async () => {
    const wish = { op: "token", refused: null, challenge: null } as const;
    const token = async (guildId: string | null, serverId: string, url: string) => {
      const answer = await world.scopeOf(guildId).connection({ ...wish, serverId, url });
      return answer.op === "token" && answer.token !== null;
    };
    const { url } = world.server;
    expect(
      await Promise.all([
        token(GUILD, "wiki", url),
        token(GUILD, "wiki", "https://evil.example/mcp"),
        token(GUILD, "fixed", url),
        token("11", "wiki", url),
        token(null, "wiki", url),
      ]),
    ).toEqual([true, false, false, false, false]);
  });

  it("is never used for another address while it is being renewed", async () => {
    const asked: ReturnType<ReturnType<typeof world.scopeOf>["connection"]>[] = [];
    const wish = { op: "token", serverId: "wiki", refused: null, challenge: null } as const;
    world.provider.insteadOfTokens = () => {
      asked.push(world.scopeOf(GUILD).connection({ ...wish, url: "https://evil.example/mcp" }));
      return Response.json({ access_token: "next", token_type: "Bearer" });
    };
    world.scopes.clock.now += HOUR_MS;
    const renewed = await world.scopeOf(GUILD).connection({ ...wish, url: world.server.url });
    expect([renewed, await Promise.all(asked)]).toEqual([
      { op: "token", token: "next" },
      [{ op: "token", token: null }],
    ]);
  });

  it("can't be read after the key was changed, and is then not sent to the server", async () => {
    world.scopes.crash();
    world.secretKey.current = "another key of thirty-two letters or more";
    expect(await world.channel().call()).toBe("no tool");
    expect([renewals(), await listed()]).toEqual([0, false]);
  });

  it("is in no row, no log line, no stored list and no tool result", async () => {
    const channel = world.channel();
    const result = JSON.stringify(await channel.call());
    world.provider.good.clear();
    await channel.call();
    world.provider.insteadOfTokens = () => Response.json({ error: world.provider.secrets.join() }, { status: 400 });
    world.provider.good.clear();
    world.scopes.clock.now += HOUR_MS;
    const failed = JSON.stringify(await channel.call());
    const kept = [world.scopes.rows(`guild:${GUILD}`), ...channel.manifests.values(), ...world.log, result, failed];
    const { secrets } = world.provider;
    expect(secrets.length).toBeGreaterThan(3);
    expect(kept.join().length).toBeGreaterThan(300);
    expect(secrets.filter((secret) => kept.some((text) => text.includes(secret)))).toEqual([]);
  });
});

describe("what is sealed", () => {
  it("opens only with its key and for its purpose, and never looks the same twice", async () => {
    const seal = createSeal("k".repeat(32));
    const [one, two] = [await seal.close("secret", "a"), await seal.close("secret", "a")];
    expect(one).not.toBe(two);
    const other = createSeal("x".repeat(32));
    const damaged = `${one.slice(0, -4)}AAAA`;
    expect(
      await Promise.all([
        seal.open(one, "a"),
        seal.open(one, "b"),
        other.open(one, "a"),
        seal.open(damaged, "a"),
        seal.open("nonsense!", "a"),
      ]),
    ).toEqual(["secret", null, null, null, null]);
  });
});
