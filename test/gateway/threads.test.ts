// Threads in which everything that is said is a question: how the session knows them, and for how long.
import { describe, expect, it } from "vitest";
import { BOT } from "../support/gateway-discord.ts";
import { connectedWorld, faultsOf, GatewayWorld } from "../support/gateway-life.ts";

const CHANNEL = { place: { kind: "channel", guildId: "700" }, channelId: "600" } as const;
const THREAD = { place: { kind: "thread", guildId: "700" }, channelId: "601" } as const;

const ask = (world: GatewayWorld, where: typeof CHANNEL | typeof THREAD = CHANNEL) =>
  world.discord.post({ mentions: [BOT], text: `<@${BOT}> why?`, ...where }).id;
const forwards = (world: GatewayWorld) => world.did("forward").map(({ key }) => key);

/** Discord shows this session the text of all messages. */
function contentWorld(): GatewayWorld {
  const world = new GatewayWorld();
  world.readsContent = true;
  world.pass(1000);
  return world;
}

describe("a thread", () => {
  it("is answered without a mention once its channel's receipt says so, for a day", () => {
    const world = connectedWorld();
    world.readsContent = true;
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

describe("a thread in which a command asked us", () => {
  const OURS = { ...THREAD, author: { id: BOT, name: "Parley", isPerson: false, roles: [] } };
  const talk = (world: GatewayWorld, times: number) =>
    Array.from({ length: times }, () => {
      const { id } = world.discord.post(THREAD);
      world.pass(100);
      return `asked:${id}`;
    });

  it.each(["thread", "mention_and_reply"] as const)("is recognized by our answer (answer_to %s)", (answerTo) => {
    const world = contentWorld();
    world.answerTo = answerTo;
    world.discord.post(OURS);
    world.die(0);
    world.pass(60_000);
    const keys = talk(world, 3);
    // The first one shows the setting.
    expect(forwards(world)).toEqual(answerTo === "thread" ? keys : keys.slice(0, 1));
    expect(faultsOf(world)).toEqual([]);
  });

  it("stays known if a stranger writes there first", () => {
    const world = contentWorld();
    world.answerTo = "thread";
    world.discord.post(OURS);
    world.moods.push("refused");
    const keys = talk(world, 2);
    expect(world.taken).toEqual(keys.slice(1));
  });

  it("is not looked up if we don't receive the text of all messages", () => {
    const world = connectedWorld();
    world.answerTo = "thread";
    world.discord.post(OURS);
    talk(world, 1);
    expect([forwards(world), world.disk.channels]).toEqual([[], {}]);
  });
});

describe("a thread that was opened on a question", () => {
  it.each(["thread", "mention_and_reply"] as const)(
    "counts as one in which we were asked (answer_to %s)",
    (answerTo) => {
      const world = connectedWorld();
      world.readsContent = true;
      world.answerTo = answerTo;
      const channelId = ask(world);
      const other = world.discord.post(CHANNEL).id;
      world.pass(100);
      const said = [channelId, channelId, other].map(
        (thread) => world.discord.post({ ...THREAD, channelId: thread }).id,
      );
      world.pass(100);
      expect(forwards(world).slice(1)).toEqual(
        answerTo === "thread" ? said.slice(0, 2).map((id) => `asked:${id}`) : [],
      );
    },
  );
});

describe("what was said in a thread before we were asked there", () => {
  it.each([
    ["a replay", (world: GatewayWorld) => world.die(0)],
    [
      "a gap",
      (world: GatewayWorld) => {
        world.discord.forgetSessions();
        world.discord.close(1006);
      },
    ],
  ])("is not a question either if %s brings it again", (_, lose) => {
    const world = connectedWorld();
    world.readsContent = true;
    world.answerTo = "thread";
    world.discord.post(THREAD);
    const ids = [ask(world, THREAD)];
    world.pass(100);
    lose(world);
    ids.push(world.discord.post(THREAD).id);
    world.pass(60_000);
    expect(world.taken).toEqual(ids.map((id) => `asked:${id}`));
    expect(faultsOf(world)).toEqual([]);
  });
});
