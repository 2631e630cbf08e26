// The way of questions, edits and deletions to their channels: order, tries, the outbox, threads, roles, and what is read after a gap.
import { describe, expect, it } from "vitest";
import type { GatewayMessage, Place } from "../../src/gateway/message.ts";
import { emptyRecollection, rememberQuestion } from "../../src/gateway/recollection.ts";
import { BOT } from "../support/gateway-discord.ts";
import { GatewayWorld } from "../support/gateway-life.ts";

const CHANNEL = { place: { kind: "channel", guildId: "700" }, channelId: "600" } as const;
const THREAD = { place: { kind: "thread", guildId: "700" }, channelId: "601" } as const;
const MENTION = { mentions: [BOT], text: `<@${BOT}> why?` };
const ROLE = "910";

function connected(more: ConstructorParameters<typeof GatewayWorld>[0] = {}): GatewayWorld {
  const world = new GatewayWorld(more);
  world.pass(1000);
  return world;
}
const ask = (world: GatewayWorld, more: Partial<GatewayMessage> & { place: Place; channelId: string } = CHANNEL) =>
  world.discord.post({ ...MENTION, ...more }).id;
const edit = (world: GatewayWorld, messageId: string, editedAt: string) =>
  world.discord.dispatch({
    kind: "edited",
    edit: { messageId, channelId: "600", editedAt, text: `edited ${editedAt}`, attachments: [] },
  });
const remove = (world: GatewayWorld, ...messageIds: string[]) =>
  world.discord.dispatch({ kind: "deleted", channelId: "600", messageIds });
const forwards = (world: GatewayWorld) => world.did("forward").map(({ key }) => key);
const outbox = (world: GatewayWorld) => [...world.disk.outbox.keys()];
const faults = (world: GatewayWorld) => [...world.violations, ...world.discord.violations];

describe("a question", () => {
  it("is forwarded once and remembered; everything else is dropped", () => {
    const world = connected();
    world.discord.post(CHANNEL);
    const id = ask(world);
    world.pass(100);
    expect(forwards(world)).toEqual([`asked:${id}`]);
    expect(Object.keys(world.disk.questions)).toEqual([id]);
    expect(Object.keys(world.disk.channels)).toEqual(["600"]);
    expect(world.did("outbox_put")).toEqual([]);
  });

  it("is tried again at once, then goes to the outbox and on until its channel takes it", () => {
    const world = connected();
    world.moods.push("broken", "broken", "broken");
    const id = ask(world);
    world.pass(100);
    expect([forwards(world).length, outbox(world)]).toEqual([2, [`asked:${id}`]]);
    world.pass(5000);
    expect([forwards(world).length, outbox(world).length]).toEqual([3, 1]);
    world.pass(10_000);
    expect([world.taken, outbox(world)]).toEqual([[`asked:${id}`], []]);
    world.pass(600_000);
    expect(forwards(world)).toHaveLength(4);
  });

  it("leaves the outbox after five minutes, with a line in the log", () => {
    const world = connected();
    world.moods.push(...Array.from({ length: 50 }, () => "broken" as const));
    ask(world);
    world.pass(299_000);
    expect(outbox(world)).toHaveLength(1);
    world.pass(2000);
    expect(outbox(world)).toEqual([]);
    expect(world.did("log").filter(({ level }) => level === "error")).toHaveLength(1);
    const tries = forwards(world).length;
    world.pass(600_000);
    expect(forwards(world)).toHaveLength(tries);
  });

  it("holds back the stored number until it is taken, or in the outbox", () => {
    const world = connected();
    world.moods.push("slow");
    ask(world);
    for (let n = 0; n < 20; n++) world.discord.post(CHANNEL);
    world.pass(9000);
    world.feed({ kind: "alarm" });
    expect(world.state?.saved.session?.seq).toBe(1);
    world.pass(2000);
    world.feed({ kind: "alarm" });
    expect(outbox(world)).toHaveLength(1);
    expect(world.state?.saved.session?.seq).toBe(22);
  });

  it("of one channel does not wait for that of another", () => {
    const world = connected();
    world.moods.push("deaf");
    ask(world);
    const other = ask(world, THREAD);
    world.pass(100);
    expect(world.taken).toEqual([`asked:${other}`]);
  });

  it("survives a death while it is on its way, by replay, and in the outbox", () => {
    const world = connected();
    world.moods.push("deaf", "broken", "broken");
    const flying = ask(world);
    const stored = ask(world, THREAD);
    world.pass(100);
    world.die(2000);
    world.pass(10_000);
    expect(world.taken.toSorted()).toEqual([`asked:${flying}`, `asked:${stored}`]);
    expect(faults(world)).toEqual([]);
  });

  it("that was taken is not forwarded by a replay, in this life or the next", () => {
    const world = connected();
    ask(world);
    world.pass(100);
    world.discord.close(1006);
    world.pass(5000);
    world.die(0);
    world.pass(50_000);
    expect(world.discord.resumes).toHaveLength(2);
    expect(forwards(world)).toHaveLength(1);
  });

  it("by interaction is handed on as it is", () => {
    const world = connected();
    world.discord.dispatch({ kind: "interaction", json: { id: "1" } });
    world.pass(100);
    expect(world.did("interaction")).toEqual([{ kind: "interaction", json: { id: "1" } }]);
  });
});

describe("an edit or a deletion", () => {
  it("of a question is forwarded, each once; of anything else it is not", () => {
    const world = connected();
    const id = ask(world);
    const other = world.discord.post(CHANNEL).id;
    world.pass(100);
    edit(world, id, "2026-11-01T00:00:05");
    edit(world, other, "2026-11-01T00:00:05");
    remove(world, other);
    world.pass(100);
    edit(world, id, "2026-11-01T00:00:05");
    edit(world, id, "2026-11-01T00:00:04");
    world.pass(100);
    remove(world, other, id);
    world.pass(100);
    remove(world, id);
    edit(world, id, "2026-11-01T00:00:09");
    world.pass(100);
    expect(world.taken).toEqual([`asked:${id}`, `edited:${id}:2026-11-01T00:00:05`, `deleted:${id}`]);
    expect(forwards(world)).toEqual(world.taken);
  });

  it("waits for its question, and only the newest edit is left", () => {
    const world = connected();
    world.moods.push("slow");
    const id = ask(world);
    edit(world, id, "1");
    edit(world, id, "2");
    world.pass(24_000);
    expect(forwards(world)).toEqual([`asked:${id}`]);
    world.pass(2000);
    expect(world.taken).toEqual([`asked:${id}`, `edited:${id}:2`]);
    expect(outbox(world)).toEqual([]);
  });

  it("takes a question out of the outbox when it is deleted, and still says so to the channel, which may have it", () => {
    const world = connected();
    world.moods.push("broken", "broken");
    const id = ask(world);
    world.pass(100);
    remove(world, id);
    world.pass(60_000);
    expect(forwards(world)).toEqual([`asked:${id}`, `asked:${id}`, `deleted:${id}`]);
    expect(outbox(world)).toEqual([]);
  });

  it("does not repeat a question that was deleted while its forward failed", () => {
    const world = connected();
    world.moods.push("deaf");
    const id = ask(world);
    world.pass(100);
    remove(world, id);
    world.pass(40_000);
    expect(forwards(world)).toEqual([`asked:${id}`, `deleted:${id}`]);
  });

  it("keeps its place behind its question over a death", () => {
    const world = connected();
    world.moods.push("deaf");
    const id = ask(world);
    remove(world, id);
    world.pass(20_000);
    expect(outbox(world)).toEqual([`asked:${id}`, `deleted:${id}`]);
    world.die(0);
    world.pass(60_000);
    expect(world.taken).toEqual([`asked:${id}`, `deleted:${id}`]);
  });
});

describe("a thread", () => {
  it("is answered without a mention once its channel's receipt says so, for a day", () => {
    const world = connected({ readsContent: true });
    const said = () => {
      const { id } = world.discord.post(THREAD);
      world.pass(100);
      return forwards(world).includes(`asked:${id}`);
    };
    expect(said()).toBe(false);
    world.answerTo = "thread";
    ask(world, THREAD);
    world.pass(100);
    expect(said()).toBe(true);
    world.die(0);
    world.pass(60_000);
    expect(said()).toBe(true);
    world.answerTo = "mention";
    expect(said()).toBe(true);
    expect(said()).toBe(false);
    world.answerTo = "thread";
    ask(world, THREAD);
    world.pass(25 * 3_600_000);
    expect(said()).toBe(false);
  });
});

describe("a mention of a role", () => {
  const ping = (world: GatewayWorld) =>
    world.discord.post({ ...CHANNEL, roleMentions: [ROLE], text: `<@&${ROLE}> why?` }).id;

  it("is a question if the role is ours, and the server is asked once an hour", () => {
    const world = connected();
    world.roles = { "700": ROLE };
    const ids = [ping(world), ping(world)];
    world.pass(200);
    ids.push(ping(world));
    world.pass(200);
    expect(world.taken).toEqual(ids.map((id) => `asked:${id}`));
    expect(world.did("find_role")).toHaveLength(1);
    world.pass(3_600_000);
    ping(world);
    world.pass(200);
    expect(world.did("find_role")).toHaveLength(2);
  });

  it("is none if the role is another's", () => {
    const world = connected();
    ping(world);
    world.pass(200);
    ping(world);
    world.pass(200);
    expect([forwards(world), world.did("find_role").length]).toEqual([[], 1]);
    expect(world.state?.live.forwards).toEqual({});
  });

  it("is not lost while no one can tell", () => {
    const world = connected();
    world.roles = { "700": ROLE };
    world.failedRoles = 3;
    const id = ping(world);
    world.pass(200);
    expect(outbox(world)).toEqual([`asked:${id}`]);
    world.die(0);
    world.pass(60_000);
    expect([world.taken, outbox(world)]).toEqual([[`asked:${id}`], []]);
  });
});

describe("after a gap", () => {
  /** Connected, with a question in each place; then the session is gone, and `during` happens in the gap. */
  function gap(during: (world: GatewayWorld) => void): GatewayWorld {
    const world = connected();
    for (const place of [CHANNEL, THREAD, { place: { kind: "dm" }, channelId: "602" } as const]) ask(world, place);
    world.pass(1000);
    world.discord.forgetSessions();
    world.discord.close(1006);
    world.pass(50);
    during(world);
    world.pass(120_000);
    expect(faults(world)).toEqual([]);
    return world;
  }

  it("each known channel is read once, and only what is new there is asked", () => {
    const missed: string[] = [];
    const world = gap((one) => {
      missed.push(ask(one), ask(one, THREAD));
      one.discord.post(CHANNEL);
    });
    expect(world.did("read").map(({ channelId }) => channelId)).toEqual(["600", "601", "602"]);
    expect(world.taken.slice(3)).toEqual(missed.map((id) => `asked:${id}`));
    expect(forwards(world)).toHaveLength(5);
  });

  it("what is older than five minutes is not answered", () => {
    const world = gap((one) => {
      ask(one);
      one.die(301_000);
      one.pass(301_000);
    });
    expect(world.did("read")).toHaveLength(3);
    expect(world.taken).toHaveLength(3);
  });

  it("a busy channel is read page by page", () => {
    const world = gap((one) => {
      for (let n = 0; n < 120; n++) one.discord.post(CHANNEL);
      ask(one);
    });
    expect(world.did("read").filter(({ channelId }) => channelId === "600")).toHaveLength(3);
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
    const world = connected();
    // As long as real ids: shorter ones would be sorted as numbers.
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

describe("the memory", () => {
  it("keeps a thousand questions, and those of a day", () => {
    let known = emptyRecollection;
    const left: string[] = [];
    const remember = (id: string, now: number) => {
      const next = rememberQuestion(known, id, { channelId: "600", at: now }, now);
      known = next.known;
      left.push(...next.forgotten);
    };
    for (let n = 0; n < 1005; n++) remember(`id ${n}`, n);
    expect(left).toEqual(["id 0", "id 1", "id 2", "id 3", "id 4"]);
    remember("id 5", 1005);
    expect(left).toHaveLength(5);
    remember("late", 86_400_000 + 1004);
    expect(Object.keys(known.questions)).toEqual(["id 5", "late"]);
  });

  it("writes a channel's row once an hour, not at every question", () => {
    const world = connected();
    for (let n = 0; n < 30; n++) {
      ask(world);
      world.pass(60_000);
    }
    // The second one has the setting of the first receipt.
    expect(world.did("remember_channel")).toHaveLength(2);
    world.pass(3_600_000);
    ask(world);
    world.pass(100);
    expect(world.did("remember_channel")).toHaveLength(3);
  });
});
