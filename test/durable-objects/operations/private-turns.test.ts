// Private turns: only one person may see their answer, so nothing of them reaches anybody else, whether Discord's answer or the place of the
// request made them private.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { statusText } from "../../../src/core/copy/status.ts";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import type { InteractionEndpoint } from "../../../src/discord/rest/rest.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { recall } from "../../../src/tools/recall.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import { setReminder } from "../../../src/tools/set-reminder.ts";
import { updateShortTermMemory } from "../../../src/tools/update-short-term-memory.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { createAppHarness } from "../../support/app-harness.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { alarm, TURNS_UNTIL_DUE, talk, talkOn } from "../../support/long-talk.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { isForSummary, isForTurn, textOf } from "../../support/summaries.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const THEO = "10";
const MIRA = "20";
const { theo, mira } = PEOPLE;
const question = (id: string, userId: string, isPrivate: boolean): TurnRequest => ({
  ...testRequest(id, userId),
  receivedAt: 1_000_000,
  guildId: "5",
  ...(isPrivate && { privateTo: userId }),
});
const wordsOf = (c: ChannelHarness) => (c.requests.at(-1)?.messages ?? []).map(({ text }) => text);

async function asks(c: ChannelHarness, request: TurnRequest, answer = `answer to ${request.interactionId}`) {
  c.submit({ trigger: request });
  await c.clock.advance(10);
  c.answer(says(answer));
  await c.clock.advance(5000);
}

describe.each([
  ["in memory", () => createChannelHarness()],
  ["in a database", () => createChannelHarness({ database: nodeSqlite() })],
] as const)("a request from a server that has not added us, stored %s", (_, open) => {
  it("has a conversation for each person, separate from the channel's", async () => {
    const c = open();
    await asks(c, question("1", THEO, false));
    await asks(c, question("2", THEO, true));
    await asks(c, question("3", MIRA, true));
    expect(wordsOf(c)).toEqual(["[user 20 · u2]\ntext of 3"]);
    await asks(c, question("4", THEO, true));
    expect(wordsOf(c)).toEqual(["[user 10 · u1]\ntext of 2", "answer to 2", "[user 10 · u1]\ntext of 4"]);
    await asks(c, question("5", MIRA, false));
    expect(wordsOf(c)).toEqual(["[user 10 · u1]\ntext of 1", "answer to 1", "[user 20 · u2]\ntext of 5"]);
  });

  it("is not in anyone else's trace or list of traces, not even a moderator's", async () => {
    const c = open();
    await asks(c, question("1", THEO, true));
    const moderator = { userId: MIRA, moderator: true };
    expect([c.trace(null, moderator), c.trace("1", moderator), c.traces(moderator)]).toEqual([null, null, []]);
    const own = { userId: THEO, moderator: false };
    expect([c.trace(null, own)?.turnId, c.trace("1", own)?.turnId, c.traces(own).length]).toEqual(["1", "1", 1]);
  });

  it("is not in anyone else's status or view of the queue, and nobody else can end it", async () => {
    const c = open();
    c.store.putSetting("follow_up", "queue");
    c.submit({ trigger: question("1", THEO, true) });
    await c.clock.advance(10);
    c.submit({ trigger: question("2", THEO, true) });
    c.submit({ trigger: question("3", MIRA, false) });
    await c.clock.advance(10_000);
    expect(statusText(c.status(MIRA))).toBe("Nothing is running.\nWaiting: <@20>.");
    expect(statusText(c.status(THEO))).toContain("Answering <@10>");
    expect(c.shown().get("token-3")).toBe(say.waiting(2, []));
    const kill = {
      interactionId: "k",
      kind: "kill",
      turnId: null,
      userId: MIRA,
      userName: "M",
      moderator: true,
    } as const;
    expect(c.stop(kill)).toEqual({ result: "cleared_queue", cleared: 1 });
    expect(c.store.state().running?.id).toBe("1");
    expect(c.stop({ ...kill, interactionId: "s", userId: THEO })).toMatchObject({ result: "stopped", ofUserId: THEO });
  });
});

describe("the trace of a turn that everyone can see", () => {
  it("is for its asker and for moderators, named or newest or in the list", async () => {
    const c = createChannelHarness();
    await asks(c, question("1", THEO, false));
    await asks(c, question("2", MIRA, false));
    const seen = (userId: string, moderator: boolean) => {
      const viewer = { userId, moderator };
      const listed = c.traces(viewer).map(({ turnId }) => turnId);
      return [c.trace(null, viewer)?.turnId, c.trace("1", viewer)?.turnId, c.trace("2", viewer)?.turnId, listed];
    };
    expect(seen(THEO, false)).toEqual(["1", "1", undefined, ["1"]]);
    expect(seen("30", false)).toEqual([undefined, undefined, undefined, []]);
    expect(seen("30", true)).toEqual(["2", "1", "2", ["2", "1"]]);
  });
});

describe("what the channel remembers", () => {
  const tools = [recall, updateShortTermMemory, rollDice];
  const offered = (c: ChannelHarness) => c.requests.at(-1)?.tools.map(({ name }) => name);
  const noted = (notes: string): ModelEvent[] => {
    const call = { id: "a", name: "update_short_term_memory", arguments: JSON.stringify({ notes }) };
    return [{ kind: "end", finishReason: "tool_calls", calls: [call], usage: null }];
  };

  it("is neither read nor written by a private turn", async () => {
    const c = createChannelHarness({ tools });
    const read = () => JSON.stringify([c.requests.at(-1)?.system, c.requests.at(-1)?.messages.at(-2)]);
    c.submit({ trigger: question("1", MIRA, false) });
    await c.clock.advance(10);
    c.answer(noted("Mira likes tea."));
    await c.clock.advance(10);
    c.answer(says("Noted."));
    await c.clock.advance(5000);
    await asks(c, question("2", THEO, true));
    expect([offered(c), read()]).toEqual([["roll_dice"], expect.not.stringContaining("tea")]);
    await asks(c, question("3", THEO, false));
    expect([offered(c)?.length, read()]).toEqual([3, expect.stringContaining("likes tea")]);
  });

  it("is a visitor's own in their object: memories and notes, but no reminders", async () => {
    const c = createChannelHarness({ tools: [...tools, setReminder] });
    const visit = (id: string) => ({ ...question(id, THEO, true), broughtBy: THEO, botIsHere: false });
    c.submit({ trigger: visit("1") });
    await c.clock.advance(10);
    expect(offered(c)).toEqual(["recall", "roll_dice", "update_short_term_memory"]);
    c.answer(noted("Theo likes rye."));
    await c.clock.advance(10);
    c.answer(says("Noted."));
    await c.clock.advance(5000);
    await asks(c, visit("2"));
    expect(JSON.stringify(c.requests.at(-1))).toContain("likes rye");
  });
});

describe("a long private conversation", () => {
  const visit = { userId: THEO, privateTo: THEO, guildId: "5", botIsHere: false };
  it.each([
    [
      "is summarized in an object of the person's own, and their next question begins with the summary",
      { broughtBy: THEO },
      1,
    ],
    ["is not summarized among others' turns", {}, 0],
  ])("%s", async (_, more, count) => {
    const c = createChannelHarness({ database: nodeSqlite() });
    await talkOn(c, 1, TURNS_UNTIL_DUE, { ...visit, ...more });
    await alarm(c);
    const asked = c.requests.filter(isForSummary);
    expect(asked).toHaveLength(count);
    for (const one of asked) {
      expect(textOf(one)).toContain("Question 7.");
      c.answer(says("About: the harbour."));
      await c.clock.advance(10);
    }
    await talk(c, 14, "Question 14.", { ...visit, ...more });
    const [first] = c.requests.findLast(isForTurn)?.messages ?? [];
    expect(first?.text.includes("About: the harbour.")).toBe(count === 1);
    expect([c.store.summary()?.users, c.errors]).toEqual([count === 1 ? [THEO] : undefined, []]);
    c.forgetPerson(THEO);
    expect(c.store.summary()).toBeNull();
  });

  it("is summarized at once in an object of the person's own if they moderate the channel and ask for it", async () => {
    const c = createChannelHarness({ database: nodeSqlite() });
    await talkOn(c, 1, 8, { ...visit, broughtBy: THEO });
    expect(await c.port.compact("the recipe", THEO)).toEqual({ result: "planned", messages: 4 });
    await alarm(c);
    expect(c.requests.filter(isForSummary).map(textOf)).toEqual([expect.stringContaining("the recipe")]);
    c.answer(says("About: the harbour."));
    await c.clock.advance(10);
    expect(c.store.summary()).toMatchObject({ messages: 4, users: [THEO] });
  });
});

describe("an answer that Discord forced to be ephemeral", () => {
  it("makes its turn private as soon as Discord says so, in this life and the next", async () => {
    const place = createAppHarness();
    await place.ask(theo, "my secret", { forceEphemeral: true });
    await place.pass(1000);
    place.channel.answer(says("I keep it."));
    await place.pass(5000);
    place.channel.crash();
    await place.ask(mira, "what did Theo say?");
    await place.pass(1000);
    expect(wordsOf(place.channel)).toEqual(["[Mira · u2]\nwhat did Theo say?"]);
    place.channel.answer(says("I don't know."));
    await place.pass(5000);
    const traces = place.channel.traces({ userId: mira, moderator: true });
    expect(traces.map(({ text }) => text)).toEqual(["what did Theo say?"]);
  });

  it("keeps the channel's notes and memory from its turn, even in the step in which Discord says so", async () => {
    const place = createAppHarness({ tools: [updateShortTermMemory] });
    await place.ask(theo, "my secret", { forceEphemeral: true });
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "I keep it." }]);
    await place.pass(3000);
    const call = { id: "c", name: "update_short_term_memory", arguments: '{"notes":"Theo has a secret"}' };
    place.channel.answer([{ kind: "end", finishReason: "tool_calls", calls: [call], usage: null }]);
    await place.pass(5000);
    expect(place.channel.store.recentTurns(1, { userId: theo, moderator: false })[0]?.request.privateTo).toBe(theo);
    expect(place.channel.notes().read()).toBe("");
  });

  it("stays private when it is asked again", async () => {
    const place = createAppHarness();
    await place.ask(theo, "my secret", { forceEphemeral: true });
    await place.pass(1000);
    place.channel.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await place.pass(5000);
    await place.click(theo, "Retry");
    await place.pass(1000);
    expect(place.channel.store.state().running?.request.privateTo).toBe(theo);
  });

  it("makes every turn of its scene private", async () => {
    const rest = () => {
      const seen = async ({ token }: InteractionEndpoint) =>
        ({ ok: true, message: { id: `of ${token}`, content: "", ephemeral: true } }) as const;
      const any = (endpoint: unknown) => seen(endpoint as InteractionEndpoint);
      return { create: any, edit: any, remove: any, read: any };
    };
    const c = createChannelHarness({ rest });
    for (const name of ["Ada", "Bob"])
      c.store.putSetting(
        `persona:${name.toLowerCase()}`,
        JSON.stringify({ name, prompt: "Be brief.", avatarUrl: null }),
      );
    c.submit({ trigger: question("1", THEO, false), speakers: { scene: ["Ada", "Bob"] } });
    await c.clock.advance(2000);
    expect(["1", "1.1"].map((id) => c.store.turn(id)?.request.privateTo)).toEqual([THEO, THEO]);
  });
});
