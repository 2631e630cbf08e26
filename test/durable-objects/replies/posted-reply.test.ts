// What a life that takes over reads back from Discord: the answer's own words, without the status lines.
import { expect, it } from "vitest";
import { isTokenAlive } from "../../../durable-objects/replies/find-late.ts";
import { TOKEN_LIFE_MS } from "../../../src/core/limits.ts";
import { newTurn } from "../../../src/core/state/record.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;

/** Stops Theo's running turn as its life ends; the next life ends the turn. */
async function stopAndDie(place: AppHarness): Promise<void> {
  const [turn] = place.channel.store.recentTurns(1, { userId: theo, moderator: false });
  if (!turn) throw new Error("there is no turn");
  const stop = { kind: "stop", by: theo, byName: "Theo", at: place.channel.clock.now() } as const;
  place.channel.store.saveTurn({ ...turn, stop });
  place.channel.crash();
  await place.pass(20_000);
}

it.each([
  ["a line that says which tool runs", "Let me look."],
  ["that line, but with the model's own small print", "-# Small print\nLet me look."],
])("a stopped answer is read back without %s", async (_, words) => {
  const place = createAppHarness({
    settings: { show_question: "false" },
    tools: [tool("slow", () => new Promise(() => {}))],
  });
  await place.ask(theo, "look");
  await place.pass(1000);
  place.channel.answer([text(words), end(["slow"])]);
  await place.pass(5000);
  expect(place.reads()[0]).toMatch(/^[^🔧]*look\.\n\n-# .*slow/su);
  await stopAndDie(place);
  const [shown] = place.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
  expect(shown?.content).toBe(`${words}\n\n-# Stopped by <@${theo}>.`);
});

it.each([
  ["a table", "| a | b |\n|---|---|\n| 1 | 2 |"],
  ["a paragraph of two messages", "Some words. ".repeat(200)],
  ["words that fill one message", `${"Some words. ".repeat(165)}\n\nTail.`],
])("a stopped answer keeps its last words, below those of a step with %s", async (_, words) => {
  const look = tool("look", async () => ({ ok: true, data: "done" }));
  const place = createAppHarness({ settings: { show_question: "false" }, tools: [look] });
  await place.ask(theo, "look");
  await place.pass(1000);
  place.channel.answer([text(words), end(["look"])]);
  await place.pass(5000);
  place.channel.stream([text("It is noon.\n\nOr later.")]);
  await place.pass(5000);
  expect(place.reads().at(-1)).toContain("It is noon.\n\nOr later.");
  await stopAndDie(place);
  expect(place.reads().at(-1)).toContain(`It is noon.\n\nOr later.\n\n-# Stopped by <@${theo}>.`);
});

it("a stopped answer is read back with its token even if the bot may not read the channel", async () => {
  const place = createAppHarness({ bot: true, settings: { show_question: "false" } });
  const refusal = Response.json({ message: "Missing Access", code: 50001 }, { status: 403 });
  place.discord.failNext(99, refusal, ({ path }) => path.startsWith("/channels/"));
  await place.ask(theo, "look");
  await place.pass(1000);
  place.channel.stream([text("It is noon.")]);
  await place.pass(5000);
  await stopAndDie(place);
  expect(place.reads()).toEqual([`It is noon.\n\n-# Stopped by <@${theo}>.`]);
});

it("an answer that is stopped while a later life writes it again ends with what that life has written", async () => {
  const place = createAppHarness({ settings: { show_question: "false" } });
  await place.ask(theo, "a story");
  await place.pass(1000);
  place.channel.stream([text("Some words. ".repeat(200))]);
  await place.pass(5000);
  expect(place.reads()).toHaveLength(2);
  place.channel.crash();
  await place.pass(10_000);
  place.channel.stream([text("Some words. ".repeat(3))]);
  await place.pass(5000);
  await stopAndDie(place);
  expect(place.reads()).toEqual([`${"Some words. ".repeat(3).trimEnd()}\n\n-# Stopped by <@${theo}>.`]);
});

it("an answer that the bot continues after the token's end is also read back by the bot", async () => {
  const place = createAppHarness({ bot: true });
  await place.ask(theo, "a story");
  await place.pass(1000);
  place.channel.stream([text("Some words. ".repeat(200))]);
  await place.pass(16 * 60_000);
  place.channel.stream([text("The end")]);
  await place.pass(5000);
  await stopAndDie(place);
  expect(place.reads()).toEqual([
    expect.stringContaining("Some words."),
    expect.stringMatching(/^(?:Some words\. )+The end\n\n-# Stopped by/),
  ]);
});

it.each<[string, { bot: boolean; isBotRefused?: boolean; lastsMs?: number }]>([
  ["a token", { bot: false }],
  ["the bot", { bot: true }],
  ["a token if the bot is refused", { bot: true, isBotRefused: true }],
  ["the bot after the token's end", { bot: true, lastsMs: 16 * 60_000 }],
])(
  "a running answer of two messages by %s ends without Stop below the first if somebody deletes the second",
  async (_, { bot, isBotRefused = false, lastsMs = 5000 }) => {
    const place = createAppHarness({ bot });
    const refusal = Response.json({ message: "Missing Access", code: 50001 }, { status: 403 });
    if (isBotRefused) place.discord.failNext(99, refusal, ({ path }) => path.startsWith("/channels/"));
    await place.ask(theo, "a story");
    await place.pass(1000);
    place.channel.stream([{ kind: "text", text: "Some words. ".repeat(200) }]);
    await place.pass(lastsMs);
    const second = place.discord.messages(PLACES.general, mira).at(-1);
    expect(place.reads().map((read) => read.includes("[Stop]"))).toEqual([true, false]);
    place.discord.touch({ kind: "delete", as: mira, messageId: second?.id ?? "" });
    place.channel.stream([{ kind: "text", text: "More words. ".repeat(20) }]);
    await place.pass(5000);
    expect(place.reads().map((read) => read.includes("[Stop]"))).toEqual([false]);
  },
);

it.each([
  ["the bot", true],
  ["a token", false],
])(
  "a persona's answer by %s ends if somebody deletes its second message, and the scene keeps Stop until the last speaker is done",
  async (_, bot) => {
    const place = createAppHarness({ bot });
    const here = { kind: "command", channel: PLACES.general } as const;
    for (const name of ["Ada", "Bob"]) {
      const options = { name, prompt: "Be brief." };
      await place.discord.interact({ ...here, as: mira, name: "persona", subcommand: "create", options });
    }
    const options = { personas: "Ada,Bob", prompt: "a story" };
    await place.discord.interact({ ...here, as: theo, name: "scene", options });
    await place.pass(1000);
    place.channel.stream([text("Some words. ".repeat(200))]);
    await place.pass(5000);
    const stops = () => place.reads().map((read) => read.includes("[Stop]"));
    expect(stops()).toEqual([true, false, false]);
    const second = place.discord.messages(PLACES.general, mira).at(-1);
    place.discord.touch({ kind: "delete", as: mira, messageId: second?.id ?? "" });
    place.channel.stream([text("More words. ".repeat(20))]);
    await place.pass(5000);
    expect(stops()).toEqual([true, false]);
    place.channel.answer([text("I am Bob. ".repeat(300)), end()]);
    await place.pass(5000);
    expect(stops()).toEqual([false, false, false, false]);
    const others = place.discord.log.filter(({ path }) => !path.endsWith("@original"));
    expect(JSON.stringify(others.map(({ body }) => body))).not.toContain("Stop");
  },
);

/** For each message of the bot, whether it has Regenerate. */
const offers = ({ discord }: AppHarness) =>
  discord
    .messages(PLACES.general, theo)
    .filter(({ author }) => author.bot)
    .map(({ components }) => JSON.stringify(components).includes("Regenerate"));

async function answered(place: AppHarness, words: string): Promise<void> {
  await place.ask(theo, "why?");
  await place.pass(1000);
  place.channel.answer([text(words), end()]);
  await place.pass(20_000);
}

it("an answer whose rest is in a file, because it is unknown whether one of its messages is posted, loses its buttons to the next one", async () => {
  const place = createAppHarness();
  place.discord.failNext(1, new Response(null, { status: 500 }), ({ method }) => method === "POST");
  await answered(place, "Some words.\n".repeat(300));
  expect([place.reads()[0]?.endsWith("answer.md"), offers(place)]).toEqual([true, [true]]);
  await answered(place, "No.");
  expect(offers(place)).toEqual([false, true]);
});

const isDrop = (body: unknown) => JSON.stringify(body).startsWith('{"components":[]');

it.each([500, 429])("an answer loses its buttons even if Discord first answers %d", async (status) => {
  const place = createAppHarness();
  await answered(place, "Yes.");
  const failure = Response.json({ message: "no", retry_after: 2, global: false }, { status });
  place.discord.failNext(1, failure, ({ body }) => isDrop(body));
  await answered(place, "No.");
  expect(offers(place)).toEqual([false, true]);
  expect(place.discord.log.filter(({ body }) => isDrop(body)).length).toBe(2);
});

it.each([
  ["an answer of a later life", "Yes.", 20 * 60_000],
  ["an answer of several messages", "Some words.\n".repeat(300), 0],
])("%s loses its buttons when its asker is forgotten", async (_, words, restedMs) => {
  const place = createAppHarness({ bot: true });
  await answered(place, words);
  await place.pass(restedMs);
  if (restedMs > 0) place.channel.crash();
  place.channel.forgetPerson(theo);
  await place.pass(20_000);
  expect([offers(place).includes(true), place.discord.violations]).toEqual([false, []]);
});

it("buttons whose webhook Discord no longer knows are tried once, because that is no race after an answer", async () => {
  const place = createAppHarness({ bot: true });
  await answered(place, "Yes.");
  const unknown = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
  place.discord.failNext(999, unknown, ({ body }) => isDrop(body));
  await answered(place, "No.");
  expect(place.discord.log.filter(({ body }) => isDrop(body)).length).toBe(1);
});

it("an answer of which Discord took no message has no buttons to lose to the next one", async () => {
  const place = createAppHarness({ bot: true });
  const unknown = Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
  let isDeaf = true;
  // The bot doesn't see a response in the channel either.
  place.discord.failNext(999, unknown, ({ path }) => isDeaf && /^\/webhooks\/|\/messages\?/.test(path));
  await answered(place, "Yes.");
  isDeaf = false;
  const before = place.discord.log.length;
  await answered(place, "No.");
  const paths = place.discord.log.slice(before).map(({ path }) => path);
  const [own] = paths.filter((path) => path.endsWith("@original"));
  expect([paths, place.reads().at(-1)]).toEqual([paths.map(() => own), expect.stringContaining("No.")]);
});

it("an answer is also deleted if a tool's work replaces it without any words", async () => {
  const goodbye = tool("goodbye", async () => ({ ok: true, data: "bye" }), { category: "terminal" });
  const place = createAppHarness({ tools: [goodbye] });
  await answered(place, "Yes.");
  await place.click(theo, "Regenerate");
  await place.pass(1000);
  place.channel.answer([end(["goodbye"])]);
  await place.pass(20_000);
  expect([place.reads(), offers(place)]).toEqual([["-# Done. I have nothing to add."], [false]]);
});

it.each([
  ["alive in its last millisecond", -1, true],
  ["over at its end", 0, false],
])("a token is %s", (_, afterEndMs, expected) => {
  const turn = newTurn({ ...testRequest("1"), token: "t", receivedAt: 1000 }, "running", 0, 0);
  expect(isTokenAlive({ clock: () => 1000 + TOKEN_LIFE_MS + afterEndMs }, turn)).toBe(expected);
});
