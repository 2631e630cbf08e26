// The local Gateway's connections and sessions: Hello, heartbeats, Identify, Resume, limits and close codes.
import { describe, expect, it } from "vitest";
import { PLACES } from "../../../src/playground/discord/world.ts";
import { AS_BOT, type TestWorld, testWorld } from "../discord/world.ts";
import { identity, login, ORDINARY, open, QUERY, resume } from "./client.ts";

const THEO = "1180000000000000022";
const say = ({ discord }: TestWorld, content: string) => discord.speak({ as: THEO, channel: PLACES.general, content });
const blamed = ({ discord }: TestWorld) => discord.violations.map(({ refusal }) => refusal.status);

describe("where to connect", () => {
  it("is the same for everyone; the bot's token adds the shards and the identifies that are left", async () => {
    const world = testWorld();
    expect((await world.rest("GET", "/gateway")).body).toEqual({ url: world.discord.gateway.url });
    expect((await world.rest("GET", "/gateway/bot")).status).toBe(401);
    const limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
    const { gateway } = world.discord;
    expect((await world.rest("GET", "/gateway/bot", undefined, AS_BOT)).body).toEqual({
      url: gateway.url,
      shards: 1,
      session_start_limit: limit,
    });
    login(world.discord);
    world.clock.now += 1000;
    const { body } = await world.rest("GET", "/gateway/bot", undefined, AS_BOT);
    expect(body.session_start_limit).toEqual({ ...limit, remaining: 999, reset_after: 86_399_000 });
  });
});

describe("a new socket", () => {
  it("gets Hello first, and an answer to each heartbeat, even before it identifies", () => {
    const client = open(testWorld().discord);
    client.send(1, null);
    expect(client.frames).toEqual([{ op: 10, d: { heartbeat_interval: 41_250, _trace: [] } }, { op: 11 }]);
  });

  it.each([
    ["without a version", "/?encoding=json", 4012],
    ["of another version", "/?v=9&encoding=json", 4012],
    ["in ETF", "/?v=10&encoding=etf", 4002],
    ["compressed", "/?v=10&encoding=json&compress=zlib-stream", 4002],
    ["of version 10 in JSON", QUERY, null],
    ["without an encoding", "?v=10", null],
  ])("%s ends with %s → %s", (_what, query, code) => {
    const { discord } = testWorld();
    expect(open(discord, discord.gateway.url + query).end).toBe(code);
  });

  it("is closed after one and a half intervals without a heartbeat, and its session can be resumed", () => {
    const world = testWorld();
    const client = login(world.discord);
    world.clock.now += 41_250;
    client.send(1, 1);
    world.clock.now += 41_250 * 1.5;
    world.discord.gateway.sweep();
    expect(client.end).toBeNull();
    world.clock.now += 1;
    world.discord.gateway.sweep();
    expect(client.end).toBe(4000);
    expect(resume(world.discord, client.session, 3).names()).toEqual(["RESUMED"]);
  });
});

describe("Identify", () => {
  it("is answered with READY, the servers as unavailable, and then each of them", () => {
    const world = testWorld();
    const client = login(world.discord, { shard: [0, 1], large_threshold: 50, compress: false });
    expect(client.frames.slice(1).map(({ op, s, t }) => ({ op, s, t }))).toEqual([
      { op: 0, s: 1, t: "READY" },
      { op: 0, s: 2, t: "GUILD_CREATE" },
      { op: 0, s: 3, t: "GUILD_CREATE" },
    ]);
    expect(client.last("READY")).toMatchObject({
      v: 10,
      user: { id: "1180000000000000002", bot: true },
      guilds: [
        { id: PLACES.guild, unavailable: true },
        { id: PLACES.secondGuild, unavailable: true },
      ],
      resume_gateway_url: `${world.discord.gateway.url}/resume`,
      shard: [0, 1],
      application: { id: "1180000000000000002", flags: 0 },
    });
  });

  it("without the intent for servers brings their ids and nothing else about them", () => {
    const client = login(testWorld().discord, { intents: 4608 });
    expect(client.names()).toEqual(["READY"]);
    expect(client.last("READY").guilds).toHaveLength(2);
    expect(client.last("READY")).not.toHaveProperty("shard");
  });

  it.each([
    ["another token", { token: "wrong" }, 4004, []],
    ["no properties", { properties: undefined }, 4002, [4002]],
    ["a threshold of 10", { large_threshold: 10 }, 4002, [4002]],
    ["no intents", { intents: undefined }, 4013, [4013]],
    ["a bit that is not an intent", { intents: 1 << 17 }, 4013, [4013]],
    ["a bit far above", { intents: 2 ** 33 }, 4013, [4013]],
    ["a negative number", { intents: -1 }, 4013, [4013]],
    ["an intent that the portal has off", { intents: ORDINARY | 32_768 }, 4014, []],
    ["the members of servers", { intents: 2 }, 4014, []],
    ["a shard beyond the number of shards", { shard: [1, 1] }, 4010, [4010]],
    ["half a shard", { shard: [0] }, 4010, [4010]],
  ])("with %s is closed with %s, %s", (_what, given, code, faults) => {
    const world = testWorld();
    const client = login(world.discord, given);
    expect([client.end, blamed(world), client.names()]).toEqual([code, faults, []]);
  });

  it("may come once on a connection", () => {
    const world = testWorld();
    const client = login(world.discord);
    client.send(2, identity());
    expect(client.end).toBe(4005);
    expect(resume(world.discord, client.session, 1).frames).toEqual([{ op: 9, d: false }]);
  });

  it("within 5 s of another is answered with op 9, and may be repeated on the same connection", () => {
    const world = testWorld();
    login(world.discord);
    world.clock.now += 4999;
    const client = login(world.discord);
    expect(client.frames.slice(1)).toEqual([{ op: 9, d: false }]);
    world.clock.now += 5000;
    client.send(2, identity());
    expect(client.names()[0]).toBe("READY");
  });

  it("has its own 5 s for each shard of a concurrency bucket", () => {
    const world = testWorld();
    world.discord.gateway.set({ maxConcurrency: 2 });
    const names = [0, 1, 2].map((id) =>
      login(world.discord, { shard: [id, 4] })
        .names()
        .includes("READY"),
    );
    expect(names).toEqual([true, true, false]);
  });

  it("beyond the thousandth in a day ends every session and resets the token", async () => {
    const world = testWorld();
    const first = login(world.discord);
    for (let n = 1; n < 1000; n++) {
      world.clock.now += 5000;
      first.send(1, 1);
      login(world.discord).leave(1000);
    }
    expect(first.end).toBeNull();
    world.clock.now += 5000;
    expect([login(world.discord).end, first.end]).toEqual([4004, 4004]);
    expect((await world.rest("GET", "/gateway/bot", undefined, AS_BOT)).status).toBe(401);
    world.clock.now += 86_400_000;
    expect(login(world.discord).end).toBe(4004);
    world.discord.reset();
    expect((await world.rest("GET", "/gateway/bot", undefined, AS_BOT)).status).toBe(200);
  });
});

describe("Resume", () => {
  it("brings everything after the number in order, and RESUMED at the end", () => {
    const world = testWorld();
    const client = login(world.discord);
    say(world, "one");
    client.leave(1006);
    say(world, "two");
    say(world, "three");
    const again = resume(world.discord, client.session, 4);
    expect(again.frames.map(({ s, t }) => [s, t])).toEqual([
      [5, "MESSAGE_CREATE"],
      [6, "MESSAGE_CREATE"],
      [7, "RESUMED"],
    ]);
    again.leave(4000);
    expect(resume(world.discord, client.session, 5).frames.map(({ s, t }) => [s, t])).toEqual([
      [6, "MESSAGE_CREATE"],
      [8, "RESUMED"],
    ]);
    expect(world.discord.gateway.status().identifies).toBe(1);
  });

  it.each([
    [1000, false],
    [1001, false],
    [1006, true],
    [4000, true],
    [4200, true],
  ])("after our own close with %i is possible: %s", (code, isPossible) => {
    const { discord } = testWorld();
    const client = login(discord);
    client.leave(code);
    const { frames } = resume(discord, client.session, 3);
    expect(frames.at(-1)?.t === "RESUMED").toBe(isPossible);
    if (!isPossible) expect(frames).toEqual([{ op: 9, d: false }]);
  });

  it.each([
    [1000, false],
    [1001, true],
    [4000, true],
    [4001, true],
    [4008, false],
    [4009, false],
  ])("after Discord's close with %i is possible: %s", (code, isPossible) => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.gateway.act({ act: "close", code });
    expect(client.end).toBe(code);
    expect(resume(discord, client.session, 3).names()).toEqual(isPossible ? ["RESUMED"] : []);
  });

  it("is possible for five minutes", () => {
    const world = testWorld();
    const client = login(world.discord);
    client.leave(1006);
    world.clock.now += 300_000;
    const again = resume(world.discord, client.session, 3);
    expect(again.names()).toEqual(["RESUMED"]);
    again.leave(1006);
    world.clock.now += 300_001;
    expect(resume(world.discord, client.session, 3).frames).toEqual([{ op: 9, d: false }]);
  });

  it("is refused for a session that never existed, a number from the future, a wrong token, and a wrong form", () => {
    const { discord } = testWorld();
    expect(resume(discord, "f".repeat(32), 1).frames).toEqual([{ op: 9, d: false }]);
    const client = login(discord);
    expect(resume(discord, client.session, 4).end).toBe(4007);
    expect(resume(discord, client.session, 3).frames).toEqual([{ op: 9, d: false }]);
    const other = open(discord);
    other.send(6, { token: "wrong", session_id: client.session, seq: 1 });
    expect(other.end).toBe(4004);
    const third = open(discord);
    third.send(6, { session_id: client.session });
    expect(third.end).toBe(4002);
  });

  it("is refused after more than 2,048 missed events", () => {
    const world = testWorld();
    const client = login(world.discord);
    client.leave(1006);
    for (let n = 0; n < 2049; n++) world.discord.gateway.act({ act: "event", t: "X", d: n });
    expect(resume(world.discord, client.session, 3).frames).toEqual([{ op: 9, d: false }]);
    expect(resume(world.discord, client.session, 4).names()).toHaveLength(2049);
  });

  it("on a second socket takes the session from the first", () => {
    const { discord } = testWorld();
    const client = login(discord);
    const second = resume(discord, client.session, 3);
    expect([client.end, second.end]).toEqual([4000, null]);
    expect(discord.gateway.status().connections).toMatchObject([{ resumeUrl: true, session: client.session }]);
  });
});

describe("a frame", () => {
  it.each([
    ["that is not JSON", "{", 4002],
    ["that is not an object", "[]", 4002],
    ["without an opcode", '{"d":1}', 4002],
    ["in binary", new ArrayBuffer(8), 4002],
    ["with an unknown opcode", '{"op":5}', 4001],
    ["with an opcode that only Discord sends", '{"op":11}', 4001],
    ["above 4,096 bytes", JSON.stringify({ op: 1, d: null, pad: "é".repeat(2040) }), 4002],
    ["with a heartbeat of another form", '{"op":1,"d":"3"}', 4002],
    ["before Identify", '{"op":3,"d":{"status":"online"}}', 4003],
  ])("%s is closed with a code and blamed", (_what, text, code) => {
    const world = testWorld();
    const client = open(world.discord);
    client.sendText(text);
    expect([client.end, blamed(world)]).toEqual([code, [code]]);
    client.sendText("{");
    expect(blamed(world)).toHaveLength(1);
  });

  it("of 4,096 bytes passes, and so do a presence, a voice state and a request for sounds", () => {
    const { discord } = testWorld();
    const client = login(discord);
    const empty = JSON.stringify({ op: 1, d: null, pad: "" });
    client.sendText(JSON.stringify({ op: 1, d: null, pad: "x".repeat(4096 - empty.length) }));
    client.send(3, { since: null, activities: [], status: "online", afk: false });
    client.send(4, { guild_id: PLACES.guild, channel_id: null, self_mute: false, self_deaf: false });
    client.send(31, { guild_ids: [PLACES.guild] });
    expect(client.end).toBeNull();
  });

  it("is one too many if it is the 121st in a minute, heartbeats included", () => {
    const world = testWorld();
    const client = login(world.discord);
    for (let n = 1; n < 120; n++) client.send(1, null);
    expect(client.end).toBeNull();
    world.clock.now += 59_999;
    client.send(1, null);
    expect(client.end).toBe(4008);
    expect(resume(world.discord, client.session, 3).frames).toEqual([{ op: 9, d: false }]);
  });

  it("may be one of 120 in each minute", () => {
    const world = testWorld();
    const client = open(world.discord);
    for (let n = 0; n < 120; n++) client.send(1, null);
    world.clock.now += 60_000;
    for (let n = 0; n < 120; n++) client.send(1, null);
    expect(client.end).toBeNull();
  });

  it("with a heartbeat for an event that never existed is recorded as a violation, and answered", () => {
    const world = testWorld();
    const client = login(world.discord);
    client.send(1, 4);
    expect([client.frames.at(-1), blamed(world)]).toEqual([{ op: 11 }, [0]]);
  });

  it("appears in the log without its token", () => {
    const { discord } = testWorld();
    login(discord).leave(1000);
    expect(discord.gateway.log.map(({ kind, op, t, code }) => [kind, op, t, code])).toEqual([
      ["open", undefined, undefined, undefined],
      ["out", 10, undefined, undefined],
      ["in", 2, undefined, undefined],
      ["out", 0, "READY", undefined],
      ["out", 0, "GUILD_CREATE", undefined],
      ["out", 0, "GUILD_CREATE", undefined],
      ["close", undefined, undefined, 1000],
    ]);
    expect(JSON.stringify(discord.gateway.log)).not.toContain("local.bot.token");
  });
});
