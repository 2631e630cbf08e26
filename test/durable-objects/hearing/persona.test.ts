// A persona that answers a message: through a webhook, whose messages can't be replies and have no nonce, or in the bot's own reply.
import { describe, expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import type { LocalMessage } from "../../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import {
  BOT,
  createMessageHarness,
  labels,
  type MessageHarness,
  type MessageHarnessOptions,
} from "../../support/message-harness.ts";

const { theo, mira } = PEOPLE;

/** Makes a channel in which Ada answers. */
async function withAda(options: MessageHarnessOptions = {}): Promise<MessageHarness> {
  const place = await createMessageHarness(options);
  await place.use(mira, "persona create", { name: "Ada", prompt: "Be brief.", avatar: "https://pics.example/ada.png" });
  await place.use(mira, "persona use", { name: "Ada" });
  await place.rest();
  place.requests();
  return place;
}

const linkTo = (id: string, channel: string = PLACES.general) =>
  `https://discord.com/channels/${PLACES.guild}/${channel}/${id}`;

/** What the bot and its webhooks have said, as `name: text [buttons]`, without answers to commands. */
function said({ world, reads }: MessageHarness, channel: string = PLACES.general): string[] {
  const shown = world.discord.messages(channel, theo).filter(({ author }) => author.bot);
  return reads(theo, channel).flatMap((text, index) => {
    const one = shown[index];
    return one && !one.interaction ? [`${one.author.name}: ${text}`] : [];
  });
}

const isExecution = ({ method, path }: { method: string; path: string }) =>
  method === "POST" && /^\/webhooks\/\d+\/webhook/.test(path);
const isAtRest = ({ world }: MessageHarness) => [world.hasWork(), world.life?.timers ?? 0, world.discord.violations];

/** A message in a channel's list, as Discord gives it without the words. */
const withoutWords = ({ id, author }: LocalMessage) => ({
  id,
  timestamp: "2026-01-01T00:00:00.000Z",
  author: { id: author.id, username: author.name },
  content: "",
  ...(author.bot && { application_id: APPLICATION.id }),
});

describe("a persona that answers a message", () => {
  it("speaks through a webhook, with a link to the question, and with Stop until its end", async () => {
    const place = await withAda({ answerTo: () => ({ firstMs: 20_000, texts: ["Hello there."] }) });
    const id = place.write(theo, `${BOT} hello?`);
    await place.pass(10_000);
    expect(said(place)).toEqual([`Ada: ${linkTo(id)}\n-# Thinking … [Stop]`]);
    await place.rest();
    expect(said(place)).toEqual([`Ada: ${linkTo(id)}\nHello there.`]);
    const requests = place.requests().map((line) => line.replace(linkTo(id), "LINK"));
    expect(requests.filter((line) => !line.includes("typing"))).toEqual([
      "0 GET /guilds/guild → 200",
      "0 GET /channels/general → 200",
      "0 GET /channels/general/webhooks → 200",
      "0 POST /channels/general/webhooks → 200",
      "0 GET /channels/general/messages?limit=20&before=N → 200",
      '2.15 POST /webhooks/… "LINK\\n-# Thinking …" [Stop] → 200',
      '20.2 PATCH /webhooks/… "LINK\\nHello there." → 200',
      "21.4 PATCH /webhooks/… [] → 200",
    ]);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });

  it("stops at once with Stop", async () => {
    const place = await withAda({ answerTo: () => ({ texts: ["Hello there."], hang: true }) });
    const id = place.write(theo, `${BOT} hello?`);
    await place.pass(5000);
    await place.click(theo, "Stop");
    await place.rest();
    expect(said(place)[0]).toBe(`Ada: ${linkTo(id)}\nHello there.\n\n-# Stopped by <@${theo}>.`);
  });

  it("posts its link once, and no words, if it ends in a later life before its first word", async () => {
    const place = await withAda({ answerTo: () => ({ firstMs: 20_000, texts: ["Hello there."] }) });
    const id = place.write(theo, `${BOT} hello?`);
    await place.pass(10_000);
    for (let died = 0; died < 3; died++) {
      place.world.restart();
      await place.pass(8000);
    }
    await place.rest();
    expect(said(place)).toEqual([expect.stringMatching(new RegExp(`^Ada: ${linkTo(id)}\n-# `))]);
    expect(place.world.life?.channel?.ports.store.messagesBefore("", 60, null).map(({ role }) => role)).toEqual([
      "user",
    ]);
  });

  it("speaks in a thread through the webhook of the thread's channel", async () => {
    const place = await createMessageHarness({
      channelId: PLACES.thread,
      parentSettings: {
        "persona:ada": JSON.stringify({ name: "Ada", prompt: "Be brief.", avatarUrl: null }),
        persona: "Ada",
      },
    });
    const id = place.write(theo, `${BOT} hello?`);
    await place.rest();
    expect(said(place, PLACES.thread)).toEqual([`Ada: ${linkTo(id, PLACES.thread)}\nHello there.`]);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });

  it("answers a reply to its answer", async () => {
    const place = await withAda({ readsContent: true });
    const id = place.write(theo, `${BOT} hello?`);
    await place.rest();
    const answer = place.world.discord
      .messages(PLACES.general, theo)
      .find(({ content }) => content.startsWith(linkTo(id)));
    const next = place.write(theo, "and then?", { replyTo: answer?.id });
    await place.rest();
    expect(said(place)).toEqual([id, next].map((one) => `Ada: ${linkTo(one)}\nHello there.`));
  });

  it("says below its link that there is no answer if its turn is removed from the queue", async () => {
    const place = await withAda({ answerTo: () => ({ hang: true }) });
    place.write(theo, `${BOT} hello?`);
    const id = place.write(mira, `${BOT} and me?`);
    await place.pass(5000);
    await place.use(mira, "bot kill");
    await place.rest();
    expect(said(place).at(-1)).toMatch(new RegExp(`^Ada: ${linkTo(id)}\n-# .*<@${mira}>`));
  });

  it("has no Stop below its first message any more if it ends because somebody deleted the second", async () => {
    const place = await withAda({ answerTo: () => ({ texts: ["Some words. ".repeat(200)], hang: true }) });
    place.write(theo, `${BOT} a story`);
    await place.pass(5000);
    const stops = () => said(place).flatMap((text) => (text.startsWith("Ada") ? [text.includes("[Stop]")] : []));
    expect(stops()).toEqual([true, false]);
    const { discord } = place.world;
    discord.touch({ kind: "delete", as: mira, messageId: discord.messages(PLACES.general, mira).at(-1)?.id ?? "" });
    await place.click(theo, "Stop");
    await place.rest();
    expect(stops()).toEqual([false]);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });

  it("says below its link that it failed, and Retry asks it again", async () => {
    let calls = 0;
    const answer = { texts: ["Hello there."] };
    const place = await withAda({ answerTo: () => (++calls <= 3 ? { fails: "overloaded" } : answer) });
    const id = place.write(theo, `${BOT} hello?`);
    await place.rest();
    expect(said(place)[0]).toMatch(new RegExp(`^Ada: ${linkTo(id)}\n-# .* \\[Retry\\]$`));
    await place.click(theo, "Retry");
    await place.rest();
    expect(said(place)).toEqual([expect.not.stringContaining("[Retry]"), "Ada: Hello there."]);
  });
});

/** The labels of every button below Ada's messages. */
const buttonsOfAda = ({ world }: MessageHarness) =>
  world.discord
    .messages(PLACES.general, theo)
    .flatMap(({ author, components }) => (author.name === "Ada" ? labels(components) : []));

describe("a persona's answer to a message, while it is the newest", () => {
  const long = Array.from({ length: 8 }, (_, index) => `${index} ${"words ".repeat(90)}\n\n`);

  it("has Regenerate and Delete, and no longer", async () => {
    const place = await withAda();
    place.write(theo, `${BOT} hello?`);
    await place.rest();
    expect(buttonsOfAda(place)).toEqual(["Regenerate", "Delete"]);
    place.requests();
    await place.use(mira, "persona use", {});
    await place.chat(theo, "and you?");
    await place.rest();
    expect(buttonsOfAda(place)).toEqual([]);
    expect(place.requests().filter((line) => line.includes("/webhooks/… []"))).toHaveLength(1);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });

  it.each([
    ["in the same life", () => {}],
    ["by the next life", ({ world }: MessageHarness) => world.restart()],
  ])("is deleted with every message, %s", async (_, meanwhile) => {
    const place = await withAda({ answerTo: () => ({ texts: long }) });
    place.write(theo, `${BOT} tell me`);
    await place.rest();
    expect(said(place).length).toBeGreaterThan(1);
    // Discord takes no deletion for a while.
    place.world.discord.failNext(1, new Response(null, { status: 503 }), ({ method }) => method === "DELETE");
    place.requests();
    await place.click(theo, "Delete");
    meanwhile(place);
    await place.rest();
    expect(said(place)).toEqual([`Parley: ${deletedText(0, true)}`]);
    const deletions = place.requests().filter((line) => line.includes("DELETE"));
    expect(deletions.filter((line) => !/DELETE \/webhooks\/… → (200|204|503)/.test(line))).toEqual([]);
    expect(place.world.life?.channel?.ports.store.messagesBefore("", 60, null)).toEqual([]);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });

  it("is replaced by a new one in the bot's reply to the click", async () => {
    const place = await withAda();
    place.write(theo, `${BOT} hello?`);
    await place.rest();
    await place.click(theo, "Regenerate");
    await place.rest();
    const shown = place.world.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
    expect(said(place)).toEqual([]);
    expect(shown.at(-1)).toMatchObject({ author: { name: "Parley" }, content: "**Ada:** Hello there." });
    expect(labels(shown.at(-1)?.components ?? [])).toEqual(["Regenerate", "Delete"]);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });
});

describe("a persona that has no webhook to answer a message with", () => {
  it("speaks in a reply of the bot, its name first, and Discord is not asked again for a while", async () => {
    const place = await withAda({ discord: { botManagesWebhooks: false } });
    const ids = [place.write(theo, `${BOT} hello?`)];
    await place.rest();
    ids.push(place.write(theo, `${BOT} again?`));
    await place.rest();
    expect(said(place)).toEqual(["Parley: **Ada:** Hello there.", "Parley: **Ada:** Hello there."]);
    const replies = place.world.discord.messages(PLACES.general, theo).flatMap(({ repliesTo }) => repliesTo?.id ?? []);
    expect(replies).toEqual(ids);
    expect(place.requests().filter((line) => line.includes("webhooks"))).toEqual([
      "0 GET /channels/general/webhooks → 50013",
    ]);
  });

  it.each([
    ["a warning if the bot may not create one", "warn", null],
    ["an error if Discord does not say why", "error", new Response(null, { status: 503 })],
  ])("is logged, as %s", async (_, level, failure) => {
    const place = await withAda({ discord: { botManagesWebhooks: failure !== null } });
    if (failure) place.world.discord.failNext(9, failure, ({ path }) => path.endsWith("/webhooks"));
    place.write(theo, `${BOT} hello?`);
    await place.rest();
    expect(said(place)).toEqual(["Parley: **Ada:** Hello there."]);
    const lines = place.world.logs.filter(({ text }) => text.startsWith("a persona"));
    expect(lines.map((line) => line.level)).toEqual([level]);
  });

  it("is not tried in a direct message, nor without a persona", async () => {
    const direct = await createMessageHarness({ channelId: PLACES.dmOfTheo });
    await direct.use(theo, "persona create", { name: "Ada", prompt: "Be brief." });
    await direct.use(theo, "persona use", { name: "Ada" });
    for (const place of [direct, await createMessageHarness()]) {
      place.write(theo, `${BOT} hello?`);
      await place.rest();
      expect(place.reads(theo).at(-1)).toContain("Hello there.");
      expect(place.requests().filter((line) => line.includes("webhooks"))).toEqual([]);
    }
  });

  it("lets the bot say its words if the webhook was deleted and may not be created again", async () => {
    const place = await withAda();
    place.write(theo, `${BOT} one`);
    await place.rest();
    const { discord } = place.world;
    discord.failNext(9, Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 }), isExecution);
    discord.configure({ botManagesWebhooks: false });
    const id = place.write(theo, `${BOT} two`);
    await place.rest();
    expect(said(place).at(-1)).toBe(`Parley: ${linkTo(id)}\nHello there.`);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });

  it.each(["username", "avatar_url"])("lets the bot say its words if Discord refuses its %s", async (field) => {
    const place = await withAda();
    const errors = { [field]: { _errors: [{ code: "USERNAME_INVALID", message: "Not allowed." }] } };
    const refusal = Response.json({ message: "Invalid Form Body", code: 50035, errors }, { status: 400 });
    place.world.discord.failNext(9, refusal, isExecution);
    const ids = [place.write(theo, `${BOT} one`)];
    await place.rest();
    ids.push(place.write(theo, `${BOT} two`));
    await place.rest();
    expect(said(place)).toEqual(ids.map((id) => `Parley: ${linkTo(id)}\nHello there.`));
    expect(place.requests().filter((line) => line.includes("POST /webhooks/"))).toEqual([
      expect.stringContaining("→ 50035"),
      expect.stringContaining("→ 50035"),
    ]);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });
});

describe("a persona's answer whose first message Discord has not confirmed", () => {
  it.each([
    ["was made", "lose the answer", () => {}],
    ["was made, and a life ended", "lose the answer", ({ world }: MessageHarness) => world.restart()],
    ["was not made", new Response(null, { status: 503 }), () => {}],
    [
      "was not made, and a life ended",
      new Response(null, { status: 503 }),
      ({ world }: MessageHarness) => world.restart(),
    ],
  ] as const)("is there once: the message %s", async (_, weather, meanwhile) => {
    const place = await withAda();
    let tries = 0;
    place.world.discord.addWeather((request) => (isExecution(request) && ++tries === 1 ? weather : null));
    const id = place.write(theo, `${BOT} hello?`);
    await place.pass(1000);
    meanwhile(place);
    await place.rest();
    expect(said(place)).toEqual([`Ada: ${linkTo(id)}\nHello there.`]);
    expect(isAtRest(place)).toEqual([false, 0, []]);
  });

  it("is not created again as long as a late request could still take effect", async () => {
    const place = await withAda();
    const tries: number[] = [];
    place.world.discord.addWeather((request) =>
      isExecution(request) && tries.push(place.world.clock.now()) === 1 ? new Response(null, { status: 503 }) : null,
    );
    place.write(theo, `${BOT} hello?`);
    await place.rest();
    const [first = 0, second = 0] = tries;
    expect([tries.length, second - first >= 10_000, second - first < 20_000]).toEqual([2, true, true]);
  });

  it("is found among those of other questions without its words, which Discord may hide", async () => {
    const place = await withAda();
    const { discord } = place.world;
    place.write(theo, `${BOT} one`);
    await place.rest();
    let tries = 0;
    discord.addWeather((request) => (isExecution(request) && ++tries === 1 ? "lose the answer" : null));
    discord.addWeather(({ method, path }) => {
      if (method !== "GET" || !path.includes("&after=")) return null;
      const shown = discord.messages(PLACES.general, theo).toReversed();
      return Response.json(shown.map(withoutWords));
    });
    const id = place.write(theo, `${BOT} two`);
    await place.rest();
    expect(said(place).at(-1)).toBe(`Ada: ${linkTo(id)}\nHello there.`);
    expect([said(place).length, tries]).toEqual([2, 1]);
  });
});
