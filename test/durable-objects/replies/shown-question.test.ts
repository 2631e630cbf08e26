// The question of a command in a line before its answer: where it is shown, and that it is only part of the first message, not of the answer's
// file or the conversation.
import { describe, expect, it } from "vitest";
import { codePoints } from "../../../src/core/markdown/code-points.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;

async function answered(place: AppHarness, text: string): Promise<AppHarness> {
  await place.pass(1000);
  place.channel.answer(says(text));
  await place.pass(20_000);
  return place;
}

/** Lets Theo ask and be answered. */
async function asked(place: AppHarness, question: string, text: string, how = {}): Promise<AppHarness> {
  await place.ask(theo, question, how);
  return answered(place, text);
}

const shown = ({ discord }: AppHarness) => discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);

describe("the question of a command", () => {
  it("is shown before its answer, and the conversation has neither the line nor a second question", async () => {
    const place = await asked(createAppHarness({ settings: {} }), "what's *this*?", "A test.");
    expect(shown(place)[0]?.content).toBe("> what's \\*this\\*?\nA test.");
    expect(place.channel.store.messagesBefore("", 9, null).map(({ text }) => text)).toEqual([
      "what's *this*?",
      "A test.",
    ]);
  });

  it("is not part of what a stopped answer keeps, even if a life ends right after the stop", async () => {
    for (const isCut of [false, true]) {
      const place = createAppHarness({ settings: {} });
      await place.ask(theo, "a story?");
      await place.pass(1000);
      place.channel.stream([{ kind: "text", text: "Once upon a time" }]);
      await place.pass(3000);
      const [turn] = place.channel.store.recentTurns(1, { userId: theo, moderator: false });
      if (isCut && turn) {
        const stop = { kind: "stop", by: theo, byName: "Theo", at: place.channel.clock.now() } as const;
        place.channel.store.saveTurn({ ...turn, stop });
        place.channel.crash();
      } else await place.use(theo, "stop");
      await place.pass(20_000);
      expect(shown(place)[0]?.content).toBe(`> a story?\nOnce upon a time\n\n-# Stopped by <@${theo}>.`);
      expect(place.channel.store.messagesBefore("", 9, null).map(({ text }) => text)).toEqual([
        "a story?",
        "Once upon a time",
      ]);
    }
  });

  it("shows names for its mentions, as the model reads them too", async () => {
    const place = createAppHarness({ settings: {} });
    const option = { name: "message", type: 3, value: "is <@77> here, or <@78>?" };
    const resolved = { users: { 77: { username: "bob_b", global_name: "Bob *B*" } } };
    const data = { id: "1", name: "chat", type: 1, options: [option], resolved };
    await place.discord.interact({ channel: PLACES.general, as: theo, kind: "raw", type: 2, data });
    await answered(place, "Yes.");
    expect(shown(place)[0]?.content).toBe("> is \\@Bob \\*B\\* here, or \\<\\@78>?\nYes.");
    expect(place.channel.requests.at(-1)?.messages.at(-1)?.text).toContain("is @Bob *B* here, or");
  });

  it("is separated from an answer that begins with a quote", async () => {
    const place = await asked(createAppHarness({ settings: {} }), "what did I say?", "> Hello.\n\nThat.");
    expect(shown(place)[0]?.content).toBe("> what did I say?\n\n> Hello.\n\nThat.");
  });

  it("is also shown after the form of /ask-long", async () => {
    const place = createAppHarness({ settings: {} });
    const { discord } = place;
    const here = { channel: PLACES.general, as: theo };
    await discord.interact({ ...here, kind: "command", name: "ask-long" });
    await discord.interact({ ...here, kind: "submit", customId: "ask-long", fields: { question: "two\nlines" } });
    expect(shown(await answered(place, "Fine."))[0]?.content).toBe("> two lines\nFine.");
  });

  it("takes room in the first message, but is not in the attached answer", async () => {
    const text = "A line of the answer.\n".repeat(200);
    const place = await asked(createAppHarness({ settings: {} }), "x".repeat(300), text);
    const parts = shown(place).map(({ content }) => content);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map((content) => content.startsWith("> "))).toEqual(parts.map((_, index) => index === 0));
    expect(Math.max(...parts.map(codePoints))).toBeLessThanOrEqual(2000);
    const words = parts.join("\n").split("\n").slice(1);
    expect(words.filter((line) => line !== "").join("\n")).toBe(text.trimEnd());

    const short = createAppHarness({ settings: { max_messages: "1" } });
    const [message] = shown(await asked(short, "why?", text));
    expect(message?.content.startsWith("> why?\nA line")).toBe(true);
    expect(message?.attachments.map((file) => file.text)).toEqual([text]);
  });

  it("is shown before the answer of Retry, because an error alone does not show it", async () => {
    const place = createAppHarness({ settings: {} });
    await place.ask(theo, "why?");
    await place.pass(1000);
    place.channel.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await place.pass(5000);
    await place.click(theo, "Retry");
    expect(shown(await answered(place, "Because.")).at(-1)?.content).toBe("> why?\nBecause.");
  });

  it("is not shown before what Continue adds to an answer", async () => {
    const place = createAppHarness({ settings: {}, turnDeadlineMs: 60_000 });
    await place.ask(theo, "why?");
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "Be" }]);
    await place.pass(70_000);
    await place.click(theo, "Continue");
    expect(shown(await answered(place, "cause.")).at(-1)?.content).toBe("cause.");
  });

  it.each([
    ["if the setting says so", { settings: { show_question: "false" } }, {}],
    [
      "if only the asker sees the answer",
      { settings: {}, isMember: false },
      { forceEphemeral: true, userInstallOnly: true },
    ],
  ])("is not shown %s", async (_, options, how) => {
    const place = await asked(createAppHarness(options), "why?", "Because.", how);
    expect(shown(place)[0]?.content).toBe("Because.");
  });

  it("is not shown outside servers, where everyone has seen it", async () => {
    const place = createAppHarness({ settings: {} });
    const channel = PLACES.dmOfTheo;
    await place.discord.interact({
      kind: "command",
      name: "chat",
      channel,
      as: theo,
      options: { message: "why?" },
    });
    await answered(place, "Because.");
    const [message] = place.discord.messages(channel, theo).filter(({ author }) => author.bot);
    expect(message?.content).toBe("Because.");
  });

  it("is not shown after 'Ask about this', whose message everyone sees", async () => {
    const place = createAppHarness({ settings: {} });
    const messageId = place.discord.speak({ as: mira, channel: PLACES.general, content: "The sky is green." });
    await place.discord.interact({
      kind: "message-command",
      name: "Ask about this",
      channel: PLACES.general,
      as: theo,
      messageId,
    });
    expect(shown(await answered(place, "Blue."))[0]?.content).toBe("Blue.");
  });
});
