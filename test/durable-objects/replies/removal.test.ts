// Delete below an answer with a message that can't be deleted: no life knows the message, because Discord's answer to its creation was lost (the
// click may then find it), or its thread is archived.
import { expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type AppHarnessOptions, createAppHarness } from "../../support/app-harness.ts";
import { end, text } from "../../support/turn-script.ts";

const { theo } = PEOPLE;

const sent = "as it was";
const unknown = { state: "sending", id: null } as const;

/** An answer of three messages. */
async function longAnswer(options: AppHarnessOptions) {
  const place = createAppHarness(options);
  await place.ask(theo, "a long story");
  place.channel.answer([text("word ".repeat(900)), end()]);
  await place.pass(60_000);
  const { store } = place.channel;
  const [turn] = store.recentTurns(1, { userId: theo, moderator: true });
  if (!turn) throw new Error("there is no turn");
  return { place, store, turn };
}

/** The three messages of the answer as the turn knows them; Delete is clicked on the last one. */
it.each<[string, (typeof sent | typeof unknown)[], number]>([
  ["the only one that was lost", [sent, sent, unknown], 0],
  ["one of two that were lost", [sent, unknown, unknown], 1],
  ["none of those that were lost", [unknown, sent, sent], 1],
  ["one that was never noted", [sent, sent], 0],
])("counts as deleted if it is %s", async (_, known, left) => {
  const { place, store, turn } = await longAnswer({ bot: true });
  expect(turn.parts).toHaveLength(3);
  const parts = known.map((part, index) => (part === sent ? turn.parts[index] : part) ?? unknown);
  store.saveTurn({ ...turn, parts });
  place.channel.crash();
  await place.click(theo, "Delete");
  await place.pass(20_000);
  const read = place.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
  expect([read.length, read.at(-1)?.content]).toEqual([left + 1, deletedText(left, true)]);
});

it("deletes every message of an answer with its token if the bot is not a member", async () => {
  const { place } = await longAnswer({});
  await place.click(theo, "Delete");
  await place.pass(20_000);
  expect(place.reads()).toEqual([deletedText(0, true)]);
});

it("says that a message stays if its thread is archived", async () => {
  const place = createAppHarness({ bot: true });
  await place.ask(theo, "a story");
  place.channel.answer([text("Once."), end()]);
  await place.pass(60_000);
  const archived = Response.json({ code: 50083, message: "Thread is archived" }, { status: 400 });
  place.discord.failNext(9, archived, ({ method }) => method === "DELETE");
  await place.click(theo, "Delete");
  await place.pass(20_000);
  const read = place.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
  expect(read.map(({ content }) => content).slice(-2)).toEqual(["Once.", deletedText(1, true)]);
});

it.each([
  ["a direct message", { guildId: null }],
  ["an answer that only one person sees", { privateTo: theo }],
])("says so in %s too, without pointing to a moderator", async (_, where) => {
  const { place, store, turn } = await longAnswer({});
  store.saveTurn({ ...turn, request: { ...turn.request, ...where } });
  place.channel.crash();
  await place.click(theo, "Delete");
  await place.pass(20_000);
  const read = place.discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);
  expect(read.map(({ content }) => content).at(-1)).toBe(deletedText(2, false));
});
