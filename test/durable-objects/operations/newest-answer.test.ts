// Regenerate and Delete: only the newest complete answer has them; who may click; what each leaves in the channel and in the
// conversation.
import { describe, expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, type AppHarnessOptions, createAppHarness } from "../../support/app-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo, mira, ivy } = { ...PEOPLE, ivy: "1180000000000000098" };
const failure: ModelEvent[] = [{ kind: "failed", failure: { reason: "refused", message: "no" } }];
const failed = endingNotice({ kind: "model_failed", reason: "refused" }) ?? "";
const long = (name: string) => `${name}\n${"A line of the answer.\n".repeat(250)}`.trimEnd();

async function answer(place: AppHarness, ...events: ModelEvent[]): Promise<void> {
  await place.pass(1000);
  place.channel.answer(events);
  await place.pass(20_000);
}

/** Lets Theo ask each of these and be answered with it in capitals. */
async function conversation(options: AppHarnessOptions, ...questions: string[]): Promise<AppHarness> {
  const place = createAppHarness(options);
  for (const question of questions) {
    await place.ask(theo, question);
    await answer(place, ...says(question.toUpperCase()));
  }
  return place;
}

type Row = { components: { label: string }[] };

/** What someone sees: each message with its buttons. */
const reads = ({ discord }: AppHarness, as: string = theo) =>
  discord
    .messages(PLACES.general, as)
    .filter(({ author }) => author.bot)
    .map(({ content, components, ephemeral }) => {
      const labels = (components as Row[]).flatMap((row) => row.components.map(({ label }) => label));
      return `${ephemeral ? "(private) " : ""}${content}${labels.length > 0 ? ` [${labels.join(" ")}]` : ""}`;
    });
const BOTH = "[Regenerate Delete]";
const stored = ({ channel }: AppHarness) => channel.store.messagesBefore("", 60, null).map(({ text }) => text);
/** The conversation of the last request, without its headers. */
const asked = ({ channel }: AppHarness) =>
  (channel.requests.at(-1)?.messages ?? []).map(({ text }) => text.replace(/^\[.*\]\n/, ""));
const rested = ({ channel }: AppHarness) => [channel.clock.pending(), channel.alarmAt(), channel.store.state().closing];
const BOT = { bot: true };

describe("the buttons", () => {
  it.each([
    ["by the token of the older answer", {}],
    ["by the bot's token", BOT],
  ])("are only below the newest complete answer, and cost one edit of the older one %s", async (_, options) => {
    const place = await conversation(options, "one");
    expect(reads(place)).toEqual([`ONE ${BOTH}`]);
    place.requests();
    await place.ask(theo, "two");
    await answer(place, ...says("TWO"));
    expect(reads(place)).toEqual(["ONE", `TWO ${BOTH}`]);
    expect(place.requests().map((line) => line.replace(/^\S+ /, ""))).toEqual([
      "PATCH original → 200",
      "PATCH original → 200",
    ]);
    expect(rested(place)).toEqual([0, null, []]);
  });

  it("are removed even after twenty answers that never had any", async () => {
    const place = await conversation({}, "one");
    for (let n = 0; n < 20; n++) {
      await place.ask(theo, "two");
      await place.pass(5000);
      await place.click(theo, "Stop");
      await place.pass(10_000);
    }
    await place.ask(theo, "two");
    await answer(place, ...says("TWO"));
    const shown = reads(place).filter((text) => !text.startsWith("(private)"));
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([22, "ONE", `TWO ${BOTH}`]);
  });

  it("are removed by a later life with the bot's token; without it they stay, and a click is refused with words", async () => {
    for (const options of [BOT, {}]) {
      const place = await conversation(options, "one");
      await place.pass(3_600_000);
      place.channel.crash();
      const [old] = place.discord.messages(PLACES.general, theo);
      await place.ask(theo, "two");
      await answer(place, ...says("TWO"));
      expect(reads(place)).toEqual([options === BOT ? "ONE" : `ONE ${BOTH}`, `TWO ${BOTH}`]);
      if (options === BOT) continue;
      const customId = JSON.stringify(old?.components).match(/delete:\d+/)?.[0] ?? "";
      await place.discord.interact({
        kind: "click",
        channel: PLACES.general,
        as: theo,
        messageId: old?.id ?? "",
        customId,
      });
      expect(reads(place).at(-1)).toBe(`(private) ${refusalText({ reason: "not_newest" })}`);
      expect(stored(place)).toHaveLength(4);
    }
  });

  it("are on no answer whose last edit comes after a newer one's", async () => {
    const place = await conversation(BOT, "one");
    await place.ask(theo, "two");
    await place.pass(1000);
    // Discord takes nothing of the second answer for a while, in which the third is there.
    place.discord.brew("outage", 3, ({ method }) => method === "PATCH");
    place.channel.answer(says("TWO"));
    await place.ask(mira, "three");
    await place.pass(300);
    place.channel.answer(says("THREE"));
    await place.pass(60_000);
    expect(reads(place)).toEqual(["ONE", "TWO", `THREE ${BOTH}`]);
    expect(place.discord.violations).toEqual([]);
  });

  it("are removed from the oldest of three even if the second one ends last, in a later life", async () => {
    const place = await conversation(BOT, "one");
    await place.ask(theo, "two");
    await place.pass(1000);
    place.discord.brew("outage", 9, ({ method, body }) => method === "PATCH" && JSON.stringify(body).includes("TWO"));
    place.channel.answer(says("TWO"));
    await place.ask(mira, "three");
    await place.pass(300);
    place.channel.answer(says("THREE"));
    await place.pass(2000);
    place.channel.crash();
    await place.pass(60_000);
    expect(reads(place)).toEqual(["ONE", "TWO", `THREE ${BOTH}`]);
  });

  it.each([
    ["the conversation is reset", (place: AppHarness) => void place.channel.reset()],
    ["its asker is forgotten", (place: AppHarness) => void place.channel.forgetPerson(theo)],
  ])("are removed when %s, even from an answer whose last edit is on its way", async (_, forget) => {
    for (const isOnItsWay of [false, true]) {
      const place = await conversation(BOT, "one");
      if (isOnItsWay) {
        await place.ask(theo, "two");
        await place.pass(1000);
        place.discord.brew("outage", 2, ({ body }) => JSON.stringify(body).includes("TWO"));
        place.channel.answer(says("TWO"));
        await place.pass(300);
      }
      forget(place);
      await place.pass(60_000);
      expect(reads(place)).toEqual(isOnItsWay ? ["ONE", "TWO"] : ["ONE"]);
      expect(rested(place)).toEqual([0, null, []]);
    }
  });

  it("are removed from an answer that a newer one overtakes while its asker is being pinged", async () => {
    const place = await conversation({ ...BOT, settings: { ping_when_done: "always" } });
    await place.ask(theo, "one");
    await place.pass(1000);
    place.discord.brew("outage", 2, ({ method, body }) => method === "POST" && JSON.stringify(body).includes("ready"));
    place.channel.answer(says("ONE"));
    await place.ask(mira, "two");
    await place.pass(1500);
    place.channel.answer(says("TWO"));
    await place.pass(60_000);
    expect(reads(place).filter((text) => !text.includes("ready"))).toEqual(["> one\nONE", `> two\nTWO ${BOTH}`]);
  });

  it("are on the last message of a long answer, and on no answer that failed, was stopped or belongs to a reminder", async () => {
    const place = createAppHarness();
    await place.ask(theo, "long");
    await answer(place, ...says(long("LONG")));
    expect(reads(place).map((text) => text.endsWith(BOTH))).toEqual([false, false, true]);
    await place.ask(theo, "fail");
    await answer(place, ...failure);
    expect(
      reads(place)
        .slice(2)
        .map((text) => text.slice(-25)),
    ).toEqual([expect.stringContaining(BOTH), expect.stringContaining("[Retry]")]);
  });

  it.each([
    ["Regenerate", ivy, "not_theirs"],
    ["Delete", ivy, "not_theirs"],
    ["Regenerate", mira, "denied"],
  ] as const)("%s is refused with words, and nothing changes", async (label, as, reason) => {
    const place = await conversation(BOT, "one");
    place.channel.store.putSetting("deny_users", mira);
    await place.click(as, label);
    expect(reads(place, as)).toEqual([`ONE ${BOTH}`, `(private) ${refusalText({ reason })}`]);
    expect([stored(place), place.channel.requests.length]).toEqual([["one", "ONE"], 1]);
  });
});

describe("Regenerate", () => {
  it.each([
    ["with the bot's token", BOT],
    ["with the old answer's own", {}],
  ])(
    "asks the same again without the old answer, which is deleted when the new one is complete, %s",
    async (_, options) => {
      const place = await conversation(options, "zero", "one");
      await place.click(theo, "Regenerate");
      await place.pass(1000);
      expect(asked(place)).toEqual(["zero", "ZERO", "one"]);
      expect(reads(place).slice(0, 2)).toEqual(["ZERO", `ONE ${BOTH}`]);
      await answer(place, ...says("Better."));
      expect(reads(place)).toEqual(["ZERO", `Better. ${BOTH}`]);
      expect(stored(place)).toEqual(["zero", "ZERO", "one", "Better."]);
      expect([place.discord.violations, rested(place)]).toEqual([[], [0, null, []]]);
    },
  );

  it("by a moderator asks as the person who asked", async () => {
    const place = await conversation(BOT, "one");
    await place.click(mira, "Regenerate");
    await answer(place, ...says("Better."));
    expect([stored(place), reads(place)]).toEqual([["one", "Better."], [`Better. ${BOTH}`]]);
  });

  it("leaves the old answer unchanged when the new one fails, and Retry may still replace it", async () => {
    const place = await conversation(BOT, "one");
    await place.click(theo, "Regenerate");
    await place.click(theo, "Regenerate");
    expect(reads(place).at(-1)).toBe(`(private) ${refusalText({ reason: "asked_again" })}`);
    await answer(place, ...failure);
    expect(reads(place).filter((text) => !text.startsWith("(private)"))).toEqual([`ONE ${BOTH}`, `${failed} [Retry]`]);
    await place.click(theo, "Retry");
    await answer(place, ...says("Better."));
    expect(reads(place).filter((text) => !text.startsWith("(private)"))).toEqual([failed, `Better. ${BOTH}`]);
    expect(stored(place)).toEqual(["one", "one", "Better."]);
  });

  it("waits for its turn like any question, and neither interrupts nor joins a running one", async () => {
    for (const mode of ["interrupt", "steer"]) {
      const place = await conversation({ settings: { follow_up: mode, show_question: "false" } }, "one");
      await place.ask(theo, "two");
      await place.pass(1000);
      await place.click(theo, "Regenerate");
      await place.pass(1000);
      expect(place.channel.store.state().queue).toHaveLength(1);
      place.channel.answer(says("TWO"));
      await place.pass(1000);
      await answer(place, ...says("Better."));
      expect(stored(place)).toEqual(["two", "TWO", "one", "Better."]);
      expect(reads(place)).toEqual(["TWO", `Better. ${BOTH}`]);
    }
  });
});

it("Regenerate may be clicked again after it was stopped while it waited", async () => {
  const place = await conversation(BOT, "one");
  await place.ask(theo, "two");
  await place.pass(1000);
  await place.click(theo, "Regenerate");
  const { queue, running } = place.channel.store.state();
  for (const [at, turn] of [...queue, running].entries())
    place.channel.stop({
      interactionId: `${at}`,
      kind: "stop",
      turnId: turn?.id ?? "",
      userId: theo,
      userName: "Theo",
      moderator: false,
    });
  await place.pass(20_000);
  await place.click(theo, "Regenerate");
  await answer(place, ...says("Better."));
  expect(stored(place)).toEqual(["two", "one", "Better."]);
});

describe("Delete", () => {
  it("removes the turn from the conversation and all its messages from the channel, with the bot's token", async () => {
    const place = createAppHarness({ bot: true, settings: { ping_when_done: "always" } });
    await place.ask(theo, "long");
    await answer(place, ...says(long("LONG")));
    expect(reads(place)).toHaveLength(4);
    await place.click(mira, "Delete");
    await place.pass(20_000);
    expect([reads(place), reads(place, mira)]).toEqual([[], [`(private) ${deletedText(0, true)}`]]);
    expect(stored(place)).toEqual([]);
    await place.ask(theo, "what was that?");
    await place.pass(1000);
    expect(asked(place)).toEqual(["what was that?"]);
  });

  it("without the bot's token deletes only the message with the button, and says so", async () => {
    const place = createAppHarness();
    await place.ask(theo, "long");
    await answer(place, ...says(long("LONG")));
    await place.pass(3_600_000);
    place.channel.crash();
    await place.click(theo, "Delete");
    await place.pass(20_000);
    expect(reads(place).map((text) => text.slice(0, 60))).toEqual([
      expect.stringMatching(/^LONG/),
      expect.stringMatching(/^A line/),
      `(private) ${deletedText(2, true)}`.slice(0, 60),
    ]);
    expect([stored(place), place.discord.violations, rested(place)]).toEqual([[], [], [0, null, []]]);
  });

  it.each([
    ["race", 3],
    ["outage", 3],
    ["limited", 3],
  ] as const)("is tried again if Discord answers with %s", async (forecast, times) => {
    const place = await conversation({}, "one");
    place.discord.brew(forecast, times, ({ method }) => method === "DELETE");
    await place.click(theo, "Delete");
    await place.pass(20_000);
    expect(reads(place)).toEqual([`(private) ${deletedText(0, true)}`]);
    const deletions = place.requests().filter((line) => line.includes("DELETE"));
    expect(deletions).toHaveLength(times + 1);
  });

  it("says what became of it even after a 429 for that sentence", async () => {
    const place = await conversation({}, "one");
    place.discord.brew("limited", 1, ({ method }) => method === "POST");
    await place.click(theo, "Delete");
    await place.pass(20_000);
    expect(reads(place)).toEqual([`(private) ${deletedText(0, true)}`]);
  });

  it("is not tried again if Discord refuses it with both tokens, and says so", async () => {
    const place = await conversation({}, "one");
    place.discord.brew("malformed", 2, ({ method }) => method === "DELETE");
    await place.click(theo, "Delete");
    await place.pass(20_000);
    expect(place.requests().filter((line) => line.includes("DELETE"))).toHaveLength(2);
    expect(reads(place).at(-1)).toBe(`(private) ${deletedText(1, true)}`);
  });

  it("of an answer that only its asker sees is for the asker alone, and needs only the click", async () => {
    const place = createAppHarness(BOT);
    await place.ask(theo, "secret", { forceEphemeral: true });
    await answer(place, ...says("A secret."));
    expect(reads(place)).toEqual([`(private) A secret. ${BOTH}`]);
    const id = place.channel.store.recentTurns(1, { userId: theo, moderator: false })[0]?.id ?? "";
    const press = { applicationId: "1", token: "t", messageId: "5" };
    expect(place.channel.remove({ interactionId: "9", turnId: id, userId: mira, moderator: true, press })).toEqual({
      result: "refused",
      refusal: { reason: "forgotten" },
    });
    await place.click(theo, "Delete");
    await place.pass(20_000);
    expect(reads(place)).toEqual([`(private) ${deletedText(0, true)}`]);
    expect(place.channel.store.messagesBefore("", 9, theo)).toEqual([]);
  });

  it("is refused while the question is asked anew, because the new answer would bring it back", async () => {
    const place = await conversation(BOT, "one");
    await place.click(theo, "Regenerate");
    await place.click(theo, "Delete");
    await place.pass(1000);
    expect(reads(place).at(-1)).toBe(`(private) ${refusalText({ reason: "asked_again" })}`);
    place.channel.answer(says("Better."));
    await place.pass(20_000);
    expect(stored(place)).toEqual(["one", "Better."]);
    expect(reads(place).filter((text) => !text.startsWith("(private)"))).toEqual([`Better. ${BOTH}`]);
  });
});

describe("a death at any request of", () => {
  /** Asks twice, clicks, and waits until everything is done; a model that is asked gives the new answer. */
  async function story(label: "Regenerate" | "Delete", options: AppHarnessOptions): Promise<AppHarness> {
    const place = createAppHarness(options);
    const settle = async (words: string) => {
      for (let tries = 0; tries < 4; tries++) {
        await place.pass(15_000);
        if (place.channel.streams() > 0) place.channel.answer(says(words));
      }
      await place.pass(30_000);
    };
    await place.ask(theo, "one");
    await settle("ONE");
    await place.click(theo, label);
    await settle("Better.");
    return place;
  }

  it.each([
    ["Regenerate", ["one", "Better."], [`Better. ${BOTH}`]],
    ["Delete", [], []],
  ] as const)("%s leaves the same as without a death", async (label, words, messages) => {
    const whole = await story(label, BOT);
    const requests = whole.discord.log.length;
    expect(requests).toBeGreaterThan(2);
    for (let request = 1; request <= requests; request++)
      for (const when of ["before", "after"] as const) {
        const place = await story(label, { ...BOT, death: { request, when } });
        const shown = reads(place).filter((text) => !text.startsWith("(private)"));
        expect([request, when, stored(place), shown]).toEqual([request, when, words, messages]);
        expect([place.discord.violations, rested(place)]).toEqual([[], [0, null, []]]);
      }
  });
});
