// What was said while there was no session: which channels are then read, how often, and what is still answered.
import { describe, expect, it } from "vitest";
import type { GatewayMessage, Place } from "../../src/gateway/message.ts";
import { stepGateway } from "../../src/gateway/session.ts";
import { BOT } from "../support/gateway-discord.ts";
import { connectedWorld, faultsOf, type GatewayWorld } from "../support/gateway-life.ts";

const CHANNEL = { place: { kind: "channel", guildId: "700" }, channelId: "600" } as const;
const THREAD = { place: { kind: "thread", guildId: "700" }, channelId: "601" } as const;
const MENTION = { mentions: [BOT], text: `<@${BOT}> why?` };

const ask = (world: GatewayWorld, more: Partial<GatewayMessage> & { place: Place; channelId: string } = CHANNEL) =>
  world.discord.post({ ...MENTION, ...more }).id;
const remove = (world: GatewayWorld, ...messageIds: string[]) =>
  world.discord.dispatch({ kind: "deleted", channelId: "600", messageIds });
const forwards = (world: GatewayWorld) => world.did("forward").map(({ key }) => key);

describe("after a gap", () => {
  /** Connected, with a question in each place; then the session is gone, and `during` happens in the gap. */
  function gap(during: (world: GatewayWorld) => void): GatewayWorld {
    const world = connectedWorld();
    for (const place of [CHANNEL, THREAD, { place: { kind: "dm" }, channelId: "602" } as const]) ask(world, place);
    world.pass(1000);
    world.discord.forgetSessions();
    world.discord.close(1006);
    world.pass(50);
    during(world);
    world.pass(120_000);
    expect(faultsOf(world)).toEqual([]);
    return world;
  }

  it("each known channel is read once, and only new messages there become questions", () => {
    const missed: string[] = [];
    const world = gap((one) => {
      missed.push(ask(one), ask(one, THREAD));
      one.discord.post(CHANNEL);
    });
    expect(world.did("read").map(({ channelId }) => channelId)).toEqual(["600", "601", "602"]);
    expect(world.taken.slice(3)).toEqual(missed.map((id) => `asked:${id}`));
    expect(forwards(world)).toHaveLength(5);
  });

  it("messages older than five minutes are not answered", () => {
    const world = gap((one) => {
      ask(one);
      one.die(301_000);
      one.pass(301_000);
    });
    expect(world.did("read")).toHaveLength(3);
    expect(world.taken).toHaveLength(3);
  });

  it("a message that is deleted while its channel is being read is not answered", () => {
    const world = gap((one) => {
      const id = ask(one);
      one.failedReads = 99;
      one.pass(15_000);
      remove(one, id);
      one.failedReads = 0;
    });
    expect(world.did("read").length).toBeGreaterThan(3);
    expect(world.taken).toHaveLength(3);
  });

  it("a busy channel is read page by page, to its newest question", () => {
    const world = gap((one) => {
      // Discord gives the oldest first, so the newest are on the last page.
      for (let n = 0; n < 650; n++) one.discord.post(CHANNEL);
      ask(one);
    });
    expect(world.did("read").filter(({ channelId }) => channelId === "600")).toHaveLength(7);
    expect(world.taken).toHaveLength(4);
  });

  it("a read that fails is repeated twice", () => {
    const world = gap((one) => {
      one.failedReads = 5;
      ask(one);
    });
    expect(world.did("read").length).toBe(8);
    expect(world.taken).toHaveLength(4);
    expect(world.state?.saved.unread).toEqual([]);
  });

  it("a read that Discord limits waits as long as it says, and one that Discord forbids is not repeated", () => {
    const missed: string[] = [];
    const world = gap((one) => {
      one.readFailures.push(30_000, null);
      missed.push(ask(one));
    });
    expect(world.did("read").map(({ channelId }) => channelId)).toEqual(["600", "601", "602", "600"]);
    expect(world.taken.slice(3)).toEqual(missed.map((id) => `asked:${id}`));
    expect(world.state?.saved.unread).toEqual([]);
  });

  it("a channel is read even if Discord's REST API is down for a minute", () => {
    const world = gap((one) => {
      one.failedReads = 12;
      ask(one);
    });
    expect(world.taken).toHaveLength(4);
  });

  it("a late read doesn't ask for what has become too old in the meantime", () => {
    const world = connectedWorld();
    ask(world);
    world.pass(1000);
    world.discord.forgetSessions();
    world.discord.close(1006);
    ask(world);
    world.readFailures.push(299_000);
    world.pass(400_000);
    expect(world.did("read")).toHaveLength(2);
    expect(world.taken).toHaveLength(1);
  });

  it("the answer of a read that no one waits for any longer is ignored", () => {
    const world = gap((one) => {
      one.failedReads = 99;
      one.pass(3000);
    });
    const { state } = world;
    if (!state) throw new Error("no life");
    const reading = { "600": { generation: 9, pages: 1, failures: 0, after: "1", retryAt: null } };
    const before = { ...state, saved: { ...state.saved, unread: ["600"] }, live: { ...state.live, reading } };
    const stale = { kind: "read", generation: 8, channelId: "600", messages: [], isLast: true } as const;
    expect(stepGateway(before, stale, world.time.now).state.saved.unread).toEqual(["600"]);
    expect(stepGateway(before, { ...stale, generation: 9 }, world.time.now).state.saved.unread).toEqual([]);
  });

  it("a death in the middle of it loses nothing", () => {
    const world = gap((one) => {
      ask(one);
      one.failedReads = 3;
      one.pass(3000);
      one.die(0);
    });
    expect(world.taken).toHaveLength(4);
  });

  it("at most twenty channels are read, the newest", () => {
    const world = connectedWorld();
    // As long as real ids, because shorter ones would be sorted as numbers.
    const channels = Array.from({ length: 30 }, (_, n) => String(1_180_000_000_000_000_000n + BigInt(n)));
    const [oldest = "", second] = channels;
    for (const channelId of channels) ask(world, { ...CHANNEL, channelId });
    world.pass(100);
    ask(world, { ...CHANNEL, channelId: oldest });
    world.pass(1000);
    world.discord.close(1000);
    world.pass(10_000);
    const read = world.did("read").map(({ channelId }) => channelId);
    expect(read).toHaveLength(20);
    expect(read).toContain(oldest);
    expect(read).not.toContain(second);
  });
});
