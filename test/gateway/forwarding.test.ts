// How questions, edits and deletions get to their channels: order, tries, the outbox, roles, and what is remembered.
import { describe, expect, it } from "vitest";
import type { GatewayMessage, Place } from "../../src/gateway/message.ts";
import { emptyRecollection, rememberQuestion } from "../../src/gateway/recollection.ts";
import { idAt } from "../../src/gateway/snowflake.ts";
import { BOT } from "../support/gateway-discord.ts";
import { connectedWorld, faultsOf, type GatewayWorld } from "../support/gateway-life.ts";

const CHANNEL = { place: { kind: "channel", guildId: "700" }, channelId: "600" } as const;
const THREAD = { place: { kind: "thread", guildId: "700" }, channelId: "601" } as const;
const MENTION = { mentions: [BOT], text: `<@${BOT}> why?` };
const ROLE = "910";

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

describe("a question", () => {
  it("is forwarded once and remembered; everything else is dropped", () => {
    const world = connectedWorld();
    world.discord.post(CHANNEL);
    const id = ask(world);
    world.pass(100);
    expect(forwards(world)).toEqual([`asked:${id}`]);
    expect(Object.keys(world.disk.questions)).toEqual([id]);
    expect(Object.keys(world.disk.channels)).toEqual(["600"]);
    expect(world.did("outbox_put")).toEqual([]);
  });

  it("may begin a forum's post, but is not a thread's first message that repeats another", () => {
    const world = connectedWorld();
    const post = String(BigInt(idAt(world.time.now)) + 500n);
    ask(world, { ...THREAD, id: post, channelId: post });
    const asked = ask(world);
    world.pass(100);
    ask(world, { ...THREAD, id: asked, channelId: asked });
    const old = idAt(world.time.now - 400_000);
    ask(world, { ...THREAD, id: old, channelId: old });
    world.pass(100);
    expect(forwards(world)).toEqual([`asked:${post}`, `asked:${asked}`]);
  });

  it("is tried again at once, then from the outbox until its channel takes it", () => {
    const world = connectedWorld();
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

  it("by someone who may not use the bot leaves nothing behind, and is judged again in a replay", () => {
    const world = connectedWorld();
    world.moods.push("refused", "refused");
    const id = ask(world);
    remove(world, id);
    world.pass(100);
    expect([world.taken, world.disk.questions, world.disk.channels, outbox(world)]).toEqual([[], {}, {}, []]);
    world.die(0);
    world.pass(60_000);
    expect(forwards(world)).toEqual([`asked:${id}`, `asked:${id}`]);
    world.moods.push("well", "refused");
    const [mine] = [ask(world), ask(world)];
    world.pass(100);
    expect([world.taken, Object.keys(world.disk.channels)]).toEqual([[`asked:${mine}`], ["600"]]);
  });

  it("leaves the outbox after five minutes, with a line in the log", () => {
    const world = connectedWorld();
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

  it("holds back the stored number until it is taken or in the outbox", () => {
    const world = connectedWorld();
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

  it.each<[string, (world: GatewayWorld, id: string) => void]>([
    [
      "a failure that is reported again and again",
      (world, id) => {
        for (let n = 0; n < 5; n++) world.feed({ kind: "forward_failed", key: `asked:${id}` });
      },
    ],
    [
      "a clock that is set back",
      (world) => {
        world.skewMs = -3_600_000;
      },
    ],
  ])("in the outbox is not delayed by %s", (_name, cause) => {
    const world = connectedWorld();
    world.moods.push("broken", "broken");
    const id = ask(world);
    world.pass(100);
    cause(world, id);
    world.pass(6000);
    expect(world.taken).toEqual([`asked:${id}`]);
  });
  it("of one channel does not wait for that of another", () => {
    const world = connectedWorld();
    world.moods.push("deaf");
    ask(world);
    const other = ask(world, THREAD);
    world.pass(100);
    expect(world.taken).toEqual([`asked:${other}`]);
  });

  it("survives a death while it is on its way by replay, and in the outbox", () => {
    const world = connectedWorld();
    world.moods.push("deaf", "broken", "broken");
    const flying = ask(world);
    const stored = ask(world, THREAD);
    world.pass(100);
    world.die(2000);
    world.pass(10_000);
    expect(world.taken.toSorted()).toEqual([`asked:${flying}`, `asked:${stored}`]);
    expect(faultsOf(world)).toEqual([]);
  });

  it("is not forwarded by a replay once it was taken, in this life or the next", () => {
    const world = connectedWorld();
    ask(world);
    world.pass(100);
    world.discord.close(1006);
    world.pass(5000);
    world.die(0);
    world.pass(50_000);
    expect(world.discord.resumes).toHaveLength(2);
    expect(forwards(world)).toHaveLength(1);
  });

  it("by interaction is passed on unchanged", () => {
    const world = connectedWorld();
    world.discord.dispatch({ kind: "interaction", json: { id: "1" } });
    world.pass(100);
    expect(world.did("interaction")).toEqual([{ kind: "interaction", json: { id: "1" } }]);
  });
});

describe("an edit or a deletion", () => {
  it("of a question is forwarded, each once; of anything else it is not", () => {
    const world = connectedWorld();
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

  it("that comes before its message takes that back, because Discord promises no order (discord-api-docs#850)", () => {
    const world = connectedWorld();
    const id = idAt(world.time.now);
    remove(world, id);
    // As a moderator clears a channel in the meantime.
    remove(world, ...Array.from({ length: 100 }, (_, n) => `9${n}`));
    ask(world, { ...CHANNEL, id });
    world.pass(100);
    expect([forwards(world), world.disk.questions, world.disk.channels]).toEqual([[], {}, {}]);
    for (let n = 0; n < 10; n++) remove(world, ...Array.from({ length: 100 }, (_, m) => `8${n}${m}`));
    world.pass(100);
    expect(world.state?.live.deleted).toHaveLength(200);
  });

  it("waits for its question, and only the newest edit is left", () => {
    const world = connectedWorld();
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

  it("takes a deleted question out of the outbox, and still informs the channel, which may have it", () => {
    const world = connectedWorld();
    world.moods.push("broken", "broken");
    const id = ask(world);
    world.pass(100);
    remove(world, id);
    world.pass(60_000);
    expect(forwards(world)).toEqual([`asked:${id}`, `asked:${id}`, `deleted:${id}`]);
    expect(outbox(world)).toEqual([]);
  });

  it("does not repeat a question that was deleted while its forward failed", () => {
    const world = connectedWorld();
    world.moods.push("deaf");
    const id = ask(world);
    world.pass(100);
    remove(world, id);
    world.pass(40_000);
    expect(forwards(world)).toEqual([`asked:${id}`, `deleted:${id}`]);
  });

  it("keeps its place after its question across a death", () => {
    const world = connectedWorld();
    world.moods.push("deaf");
    const id = ask(world);
    remove(world, id);
    world.pass(20_000);
    expect(outbox(world)).toEqual([`asked:${id}`, `deleted:${id}`]);
    world.die(0);
    world.moods.push("slow");
    world.pass(60_000);
    expect(world.taken).toEqual([`asked:${id}`, `deleted:${id}`]);
  });
});

describe("a mention of a role", () => {
  const ping = (world: GatewayWorld) =>
    world.discord.post({ ...CHANNEL, roleMentions: [ROLE], text: `<@&${ROLE}> why?` }).id;

  it("is a question if the role is ours, and the server is asked once an hour", () => {
    const world = connectedWorld();
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

  it("is not a question if the role is another's", () => {
    const world = connectedWorld();
    ping(world);
    world.pass(200);
    ping(world);
    world.pass(200);
    expect([forwards(world), world.did("find_role").length]).toEqual([[], 1]);
    expect(world.state?.live.forwards).toEqual({});
  });

  it("of another leaves no trace of its channel, which is not read after a gap", () => {
    const world = connectedWorld();
    ping(world);
    world.pass(200);
    expect([world.state?.known.channels, world.disk.channels]).toEqual([{}, {}]);
  });

  it("is looked up again at once if Discord fails, however many wait for it", () => {
    const world = connectedWorld();
    world.roles = { "700": ROLE };
    world.failedRoles = 1;
    const ids = [ping(world), ping(world)];
    world.pass(300);
    expect(world.taken).toEqual(ids.map((id) => `asked:${id}`));
    expect(world.did("find_role")).toHaveLength(2);
  });

  it("is not lost while its role can't be looked up", () => {
    const world = connectedWorld();
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

describe("the memory", () => {
  it("keeps a thousand questions, and those of the last day", () => {
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
    const world = connectedWorld();
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
