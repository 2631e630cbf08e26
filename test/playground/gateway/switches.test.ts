// What a test can make the local Gateway do wrong.
import { describe, expect, it } from "vitest";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { AS_BOT, testWorld } from "../discord/world.ts";
import { identity, login, open, resume } from "./client.ts";

const say = { as: PEOPLE.theo, channel: PLACES.general, content: "hi" };

describe("a switch", () => {
  it("holds Hello back", () => {
    const { discord } = testWorld();
    discord.gateway.set({ hello: false });
    expect(open(discord).frames).toEqual([]);
  });

  it("sets another heartbeat interval, for new sockets only", () => {
    const world = testWorld();
    const { gateway } = world.discord;
    const old = open(world.discord);
    gateway.set({ heartbeatIntervalMs: 100 });
    const client = open(world.discord);
    expect(client.frames[0]).toMatchObject({ d: { heartbeat_interval: 100 } });
    world.clock.now += 151;
    gateway.sweep();
    expect([old.end, client.end]).toEqual([null, 4000]);
  });

  it("leaves heartbeats without an answer until it is reset", () => {
    const { discord } = testWorld();
    const client = login(discord);
    client.take();
    discord.gateway.set({ acks: false });
    client.send(1, 3);
    discord.gateway.set({ acks: true });
    client.send(1, 3);
    expect(client.frames).toEqual([{ op: 11 }]);
  });

  it("holds back READY and everything after it", () => {
    const { discord } = testWorld();
    discord.gateway.set({ holdReady: true });
    const client = login(discord);
    discord.speak(say);
    expect(client.names()).toEqual([]);
    discord.gateway.set({ holdReady: false });
    expect(client.names()).toEqual(["READY", "GUILD_CREATE", "GUILD_CREATE", "MESSAGE_CREATE"]);
  });

  it("holds back events, which then come in order with their numbers", () => {
    const { discord } = testWorld();
    const client = login(discord);
    client.take();
    discord.gateway.set({ holdEvents: true });
    discord.speak(say);
    discord.speak(say);
    expect(client.frames).toEqual([]);
    discord.gateway.set({ holdEvents: false });
    expect(client.frames.map(({ s }) => s)).toEqual([4, 5]);
  });

  it("holds back the replay of a resumed session, with RESUMED", () => {
    const { discord } = testWorld();
    const { session, leave } = login(discord);
    leave(1006);
    discord.speak(say);
    discord.gateway.set({ holdEvents: true });
    const client = resume(discord, session, 3);
    expect(client.names()).toEqual([]);
    discord.gateway.set({ holdEvents: false });
    expect(client.names()).toEqual(["MESSAGE_CREATE", "RESUMED"]);
  });

  it.each([
    [4004, 4004, []],
    [4013, 4013, []],
    ["invalid", null, [{ op: 9, d: false }]],
    ["resumable", null, [{ op: 9, d: true }]],
  ] as const)("refuses every Identify with %s", (refuseIdentify, code, frames) => {
    const { discord } = testWorld();
    discord.gateway.set({ refuseIdentify });
    const client = open(discord);
    client.take();
    client.send(2, identity());
    expect([client.end, client.frames]).toEqual([code, frames]);
  });

  it("refuses every Resume, and leaves the session for a later one", () => {
    const { discord } = testWorld();
    const { session, leave } = login(discord);
    leave(1006);
    discord.gateway.set({ refuseResume: "invalid" });
    expect(resume(discord, session, 3).frames).toEqual([{ op: 9, d: false }]);
    discord.gateway.set({ refuseResume: null });
    expect(resume(discord, session, 3).names()).toEqual(["RESUMED"]);
  });

  it("sets the number of remaining identifies, the concurrency and the shards", async () => {
    const world = testWorld();
    world.discord.gateway.set({ identifiesLeft: 3, maxConcurrency: 16, shards: 2 });
    expect((await world.rest("GET", "/gateway/bot", undefined, AS_BOT)).body).toMatchObject({
      shards: 2,
      session_start_limit: { total: 1000, remaining: 3, max_concurrency: 16 },
    });
  });

  it("refuses the upgrade if the socket's host asks", () => {
    const { gateway } = testWorld().discord;
    expect(gateway.refusesUpgrade()).toBeNull();
    gateway.set({ refuseUpgrade: 502 });
    expect(gateway.refusesUpgrade()).toBe(502);
  });

  it("has its default again after a reset, which ends no socket", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.gateway.set({ acks: false, holdEvents: true, refuseResume: 4000 });
    discord.speak(say);
    discord.reset();
    expect(discord.gateway.status()).toMatchObject({
      identifies: 0,
      switches: { acks: true, holdEvents: false, refuseResume: null, heartbeatIntervalMs: 41_250 },
    });
    expect(discord.gateway.log.map(({ t }) => t)).toEqual(["MESSAGE_CREATE"]);
    expect(client.end).toBeNull();
  });
});

describe("immediately, the Gateway", () => {
  it("breaks the sockets, but their sessions stay", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.gateway.act({ act: "drop" });
    expect(client.end).toBe("dropped");
    expect(resume(discord, client.session, 3).names()).toEqual(["RESUMED"]);
  });

  it("closes the sockets with any code, once", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.gateway.act({ act: "close", code: 4008 });
    discord.gateway.act({ act: "close", code: 4000 });
    client.leave(4008);
    expect(client.end).toBe(4008);
    expect(discord.gateway.log.filter(({ kind }) => kind === "close")).toMatchObject([{ code: 4008, by: "discord" }]);
  });

  it("asks for a new connection, even before it has said Hello", () => {
    const { discord } = testWorld();
    discord.gateway.set({ hello: false });
    const client = open(discord);
    discord.gateway.act({ act: "reconnect" });
    expect([client.frames, client.end]).toEqual([[{ op: 7, d: null }], null]);
  });

  it("asks for a heartbeat", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.gateway.act({ act: "heartbeat" });
    expect(client.frames.at(-1)).toEqual({ op: 1, d: null });
  });

  it.each([
    [true, ["MESSAGE_CREATE", "RESUMED"]],
    [false, []],
  ])(
    "invalidates a session with d: %s, which can be resumed on the same connection or not at all",
    (resumable, names) => {
      const { discord } = testWorld();
      const client = login(discord);
      client.take();
      discord.gateway.act({ act: "invalidate", resumable });
      discord.speak(say);
      expect(client.frames[0]).toEqual({ op: 9, d: resumable });
      expect(client.frames).toHaveLength(1);
      client.send(6, { token: APPLICATION.botToken, session_id: client.session, seq: 3 });
      expect(client.names()).toEqual(names);
    },
  );

  it("no longer knows an invalidated session, and closes with 4003", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.gateway.act({ act: "invalidate", resumable: false });
    client.send(3, { since: null, activities: [], status: "online", afk: false });
    expect(client.end).toBe(4003);
  });

  it("repeats an old event with its old number, and the last message with a new one", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.speak(say);
    const [first] = client.take().slice(-1);
    discord.speak({ ...say, content: "again" });
    const [second] = client.take();
    discord.gateway.act({ act: "replay", seq: 4 });
    discord.gateway.act({ act: "replay" });
    discord.gateway.act({ act: "duplicate" });
    expect(client.frames).toEqual([first, second, { ...second, s: 6 }]);
    expect(discord.gateway.log.slice(-3).map(({ t, s }) => [t, s])).toEqual([
      ["MESSAGE_CREATE", 4],
      ["MESSAGE_CREATE", 5],
      ["MESSAGE_CREATE", 6],
    ]);
  });

  it("sends any event, numbered or not, and any text", () => {
    const { discord } = testWorld();
    const client = login(discord);
    client.take();
    discord.gateway.act({ act: "event", t: "MESSAGE_CREATE", d: { id: "1" } });
    discord.gateway.act({ act: "event", t: "NEWS", d: 1, s: null });
    discord.gateway.act({ act: "frame", text: '{"op":99}' });
    expect(client.frames).toEqual([
      { op: 0, t: "MESSAGE_CREATE", s: 4, d: { id: "1" } },
      { op: 0, t: "NEWS", s: null, d: 1 },
      { op: 99 },
    ]);
  });

  it("forgets the sessions", () => {
    const { discord } = testWorld();
    const client = login(discord);
    discord.gateway.act({ act: "forget" });
    client.leave(1006);
    expect(resume(discord, client.session, 3).frames).toEqual([{ op: 9, d: false }]);
  });
});
