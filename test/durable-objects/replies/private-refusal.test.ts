// A question that is refused before its first call, by a limit that only the scope counts or because its asker has been shut out: only the asker
// learns why, whatever dies and whatever Discord refuses.
import { describe, expect, it } from "vitest";
import type { LeaseAnswer } from "../../../src/core/access/scope-rpc.ts";
import { accessText } from "../../../src/core/copy/access.ts";
import { spentText } from "../../../src/core/copy/budgets.ts";
import { textForAsker } from "../../../src/core/copy/refusals.ts";
import { timelineText } from "../../../src/core/copy/timeline.ts";
import type { SpentBudget } from "../../../src/core/money/limit.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import { type AppHarness, type AppHarnessOptions, createAppHarness, START } from "../../support/app-harness.ts";
import { BOT, createMessageHarness, type MessageHarness } from "../../support/message-harness.ts";

const { theo, mira, juno } = PEOPLE;
const DAY_MS = 86_400_000;
const limit: SpentBudget = { of: "deployment", unit: "microUsd", limit: 5_000_000, resetsAt: START + DAY_MS };
const SPENT = spentText(limit);
const FOR_ALL = `-# ⚠️ ${SPENT}`;
const spent = async (): Promise<LeaseAnswer> => ({ kind: "spent", limit });
const granted: LeaseAnswer = { kind: "granted", allowance: { tokens: null, microUsd: null }, until: START };
/** If it is set, the scope is asked. */
const LIMITED = { user_usd_per_day: "1" };
const QUIET = { show_question: "false", ping_when_done: "always", channel_context: "0" };

const open = (options: AppHarnessOptions = {}): AppHarness =>
  createAppHarness({ lease: spent, settings: { ...QUIET, ...LIMITED }, ...options });

/** Lets Theo ask and be refused. */
async function refused(options: AppHarnessOptions = {}, place = open(options)): Promise<AppHarness> {
  await place.ask(theo, "hello");
  for (let seconds = 0; seconds < 30; seconds++) {
    await place.pass(1000);
    // An event, so that a new life continues.
    if (options.death) place.channel.runAlarm();
  }
  return place;
}

describe("the refusal of a question by /chat", () => {
  it("its asker reads why, and nobody else reads anything", async () => {
    const place = await refused();
    expect([place.reads(theo), place.reads(mira)]).toEqual([[SPENT], []]);
    // The object may be faster than the Worker's answer.
    const taken = place.requests().filter((line) => !line.endsWith("10015"));
    expect(taken.map((line) => line.replace(/^\S+ /, ""))).toEqual([
      "PATCH original → 200",
      "POST token → 200",
      "DELETE original → 204",
    ]);
    expect([place.channel.alarmAt(), place.channel.clock.pending()]).toEqual([null, 0]);
    expect(place.channel.requests).toEqual([]);
  });

  it.each([1, 2, 3].flatMap((request) => (["before", "after", "late"] as const).map((when) => ({ request, when }))))(
    "is shown once in private or stays visible to everyone if a life ends at request $request: $when",
    async (death) => {
      const place = await refused({ death });
      const [own, others] = [place.reads(theo), place.reads(mira)];
      expect(others).toEqual(others.length === 0 ? [] : [FOR_ALL]);
      expect(own.toSorted()).toEqual(own.includes(SPENT) ? [...others, SPENT] : [FOR_ALL]);
      expect(place.channel.store.state().closing).toEqual([]);
    },
  );

  it("is seen by nobody else even if Discord doesn't delete the reply at first; that is tried for ten seconds", async () => {
    const isDeletion = ({ method }: { method: string }) => method === "DELETE";
    const failing = async (times: number) => {
      const place = open();
      place.discord.failNext(times, new Response(null, { status: 503 }), isDeletion);
      const [before, { clock }] = [place.discord.log.length, place.channel];
      await refused({}, place);
      const tries = place.discord.log.slice(before).filter(isDeletion);
      return { reads: [place.reads(theo), place.reads(mira)], tries, isIdle: clock.pending() === 0 };
    };
    expect((await failing(1)).reads).toEqual([[SPENT], []]);
    const { reads, tries, isIdle } = await failing(99);
    expect([reads, isIdle]).toEqual([[[FOR_ALL, SPENT], [FOR_ALL]], true]);
    expect((tries.at(-1)?.at ?? 0) - (tries[0]?.at ?? 0)).toBeLessThanOrEqual(10_000);
  });

  it("stays visible to everyone if Discord refuses the private sentence", async () => {
    const place = open();
    place.discord.failNext(1, new Response(null, { status: 503 }), ({ method }) => method === "POST");
    await refused({}, place);
    expect([place.reads(theo), place.reads(mira)]).toEqual([[FOR_ALL], [FOR_ALL]]);
  });

  it.each([
    ["has been lent to other answers", { kind: "spent", limit: { ...limit, isHeld: true } }],
    ["can't be checked", { kind: "refused", refusal: { reason: "limit_unchecked" } }],
  ] as const)("stays visible to everyone, with Retry, if the limit %s", async (_, answer) => {
    const place = await refused({ lease: async () => answer });
    expect(place.reads(theo)).toEqual(place.reads(mira));
    expect(place.reads(mira)).toEqual([expect.stringMatching(/\[Retry\]$/)]);
  });

  it("stays visible to everyone if the answer had begun", async () => {
    const answers = [granted];
    const place = open({ lease: async () => answers.shift() ?? spent(), tools: [rollDice] });
    await place.ask(theo, "hello");
    await place.pass(1000);
    const roll = { id: "c", name: "roll_dice", arguments: '{"notation":"1d6"}' };
    place.channel.answer([{ kind: "end", finishReason: "tool_calls", calls: [roll], usage: null }]);
    await place.pass(10_000);
    expect(place.reads(mira)[0]).toBe(FOR_ALL);
  });

  it("is also private for somebody who was shut out while they waited", async () => {
    const refusal = { reason: "blocked" } as const;
    const place = open({
      lease: async ({ person }) => (person?.userId === theo ? { kind: "refused", refusal } : granted),
    });
    for (const asker of [mira, theo]) await place.ask(asker, "hello");
    place.channel.answer([
      { kind: "text", text: "Hi." },
      { kind: "end", finishReason: "stop", calls: [], usage: null },
    ]);
    await place.pass(70_000);
    expect([place.reads(theo), place.reads(mira)]).toEqual([["Hi.", accessText(refusal)], ["Hi."]]);
  });
});

it.each([
  ["by its webhook", {}],
  ["in the bot's own message", { botManagesWebhooks: false }],
])("what a persona would say, %s, only its asker reads", async (_, discord) => {
  const place = await createMessageHarness({ settings: LIMITED, discord });
  place.world.lease = spent;
  await place.use(mira, "persona create", { name: "Ada", prompt: "Be brief." });
  await place.use(theo, "chat", { message: "hello?", persona: "Ada" });
  await place.rest();
  expect([place.reads(theo), place.reads(juno)]).toEqual([[SPENT], []]);
});

it.each([
  ["a server that has not added the bot", { channel: PLACES.lobby, as: PEOPLE.wren, userInstallOnly: true }],
  ["a conversation between people", { channel: PLACES.groupDm, as: PEOPLE.wren }],
])("in %s, where others may see the answer, only its asker reads it too", async (_, where) => {
  const place = open();
  await place.discord.interact({ kind: "command", name: "chat", options: { message: "hello" }, ...where });
  await place.pass(30_000);
  const reads = (as: string) => place.discord.messages(where.channel, as).map(({ content }) => content);
  expect([reads(where.as), reads(theo)]).toEqual([[SPENT], []]);
});

it("a moderator who clicks Regenerate reads that the refusal is about the asker, and the old answer stays", async () => {
  const place = await createMessageHarness({ settings: LIMITED });
  await place.chat(theo, "hello?");
  const answer = place.reads(theo);
  place.world.lease = spent;
  await place.click(mira, "Regenerate");
  await place.rest();
  expect([place.reads(theo), place.reads(mira)]).toEqual([answer, [...answer, textForAsker(SPENT, theo)]]);
  place.world.lease = async () => granted;
  await place.click(theo, "Regenerate");
  await place.rest();
  expect(place.reads(theo)).toHaveLength(1);
});

describe("the refusal of a question by message", () => {
  const place = async () => {
    const made = await createMessageHarness({ settings: LIMITED });
    made.world.lease = spent;
    return made;
  };
  const dmOf = ({ world, reads }: MessageHarness, as: string) =>
    world.discord.channels(as).flatMap(({ id }) => reads(as, id).filter((text) => text.startsWith(SPENT)));
  const reactions = ({ world }: MessageHarness, id: string) =>
    world.discord.messages(PLACES.general, theo).find((message) => message.id === id)?.reactions ?? [];

  it("its asker gets a direct message, or within an hour of the last one the reaction, and the channel gets nothing", async () => {
    const here = await place();
    const first = here.write(theo, `${BOT} one`);
    await here.rest();
    const second = here.write(theo, `${BOT} two`);
    await here.rest();
    expect([dmOf(here, theo).length, here.reads()]).toEqual([1, []]);
    expect([reactions(here, first), reactions(here, second)]).toMatchObject([[], [{ emoji: "⛔" }]]);
    const told = here.world.life?.channel.ports.store.turn(first)?.events.at(-1);
    expect(told).toMatchObject({ what: "delivered", detail: timelineText.toldAlone });
  });

  it("notifies nobody if its asker deletes it", async () => {
    const here = await place();
    let answer: (value: LeaseAnswer) => void = () => {};
    here.world.lease = () => new Promise((resolve) => (answer = resolve));
    const id = here.write(theo, `${BOT} one`);
    await here.pass(1000);
    here.world.discord.touch({ kind: "delete", as: theo, messageId: id });
    answer(await spent());
    await here.rest();
    expect([dmOf(here, theo), here.reads()]).toEqual([[], []]);
  });
});
