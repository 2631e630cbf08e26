// The message that pings the asker after an answer: when it comes, whom it pings, and that it comes only once, whatever dies or gets lost.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { timelineText } from "../../../src/core/copy/timeline.ts";
import { NONCE_LIFE_MS, PING_AFTER_MS } from "../../../src/core/limits.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, type AppHarnessOptions, createAppHarness } from "../../support/app-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const MINUTE = 60_000;
const failure: ModelEvent[] = [{ kind: "failed", failure: { reason: "refused", message: "no" } }];
const BOT: AppHarnessOptions = { bot: true, settings: {} };

/** Lets Theo ask, and the model answer after this time. */
async function answeredAfter(place: AppHarness, ms: number, answer = says("Done.")): Promise<AppHarness> {
  await place.ask(theo, "a long story");
  await place.pass(ms);
  if (place.channel.streams() > 0) place.channel.answer(answer);
  await place.pass(10_000);
  return place;
}

const pings = ({ discord }: AppHarness) => discord.pinged();
const shown = ({ discord }: AppHarness) => discord.messages(PLACES.general, theo).filter(({ author }) => author.bot);

describe("the message that pings the asker", () => {
  it("follows an answer that ends more than 60 s after its question, and replies to it", async () => {
    const place = await answeredAfter(createAppHarness(BOT), PING_AFTER_MS + 1000);
    const [answer, ping, ...more] = shown(place);
    expect([answer?.content, ping?.content, more]).toEqual(["> a long story\nDone.", say.answerReady(theo), []]);
    expect(ping?.repliesTo?.id).toBe(answer?.id);
    expect(pings(place)).toEqual([theo]);
    const bodies = place.discord.log.flatMap(({ body }) => (body ? [body as Record<string, unknown>] : []));
    const allowed = bodies.map((body) => body.allowed_mentions);
    expect(allowed.at(-1)).toEqual({ parse: [], users: [theo] });
    expect(allowed.slice(0, -1).every((one) => JSON.stringify(one) === '{"parse":[]}')).toBe(true);
    expect([place.channel.clock.pending(), place.channel.alarmAt()]).toEqual([0, null]);
  });

  it("is no reply if the bot may not reply, and is otherwise tried until it is posted", async () => {
    const place = createAppHarness(BOT);
    const isPing = ({ method, body }: { method: string; body: unknown }) =>
      method === "POST" && JSON.stringify(body ?? "").includes(say.answerReady(theo));
    const hidden = { code: 160_002, message: "Cannot reply without permission to read message history" };
    place.discord.failNext(1, Response.json(hidden, { status: 400 }), isPing);
    place.discord.brew("outage", 2, isPing);
    await answeredAfter(place, 2 * MINUTE);
    const ping = shown(place).at(-1);
    expect([ping?.content, ping?.repliesTo, pings(place)]).toEqual([say.answerReady(theo), undefined, [theo]]);
  });

  it("does not announce an answer whose words a filter blocks, and the timeline says why", async () => {
    const place = createAppHarness(BOT);
    place.discord.brew("blocked", 2, ({ body }) => JSON.stringify(body).includes("Done."));
    const { interactionId } = await place.ask(theo, "a long story");
    await place.pass(2 * MINUTE);
    place.channel.answer(says("Done."));
    await place.pass(10_000);
    expect(shown(place).map(({ content }) => content)).toEqual([say.blocked, say.answerEnded(theo)]);
    const events = place.channel.store.turn(interactionId)?.events;
    expect(events?.at(-1)?.detail).toBe(timelineText.deliveredInPart("blocked"));
  });

  it("is given up if Discord refuses it", async () => {
    const place = createAppHarness(BOT);
    place.discord.brew("malformed", 1, ({ method, body }) => method === "POST" && JSON.stringify(body).includes(theo));
    await answeredAfter(place, 2 * MINUTE);
    expect([shown(place).length, pings(place), place.channel.clock.pending()]).toEqual([1, [], 0]);
  });

  it("says that an answer ended early", async () => {
    const place = await answeredAfter(createAppHarness(BOT), 2 * MINUTE, failure);
    expect([shown(place).at(-1)?.content, pings(place)]).toEqual([say.answerEnded(theo), [theo]]);
  });

  it.each<[string, AppHarnessOptions, number, string[]]>([
    ["not after an answer that is finished sooner", BOT, PING_AFTER_MS - 1000, []],
    ["not if it is off", { ...BOT, settings: { ping_when_done: "never" } }, 2 * MINUTE, []],
    ["after every answer if it is on", { ...BOT, settings: { ping_when_done: "always" } }, 1000, [theo]],
    ["not without the bot's token", { settings: {} }, 2 * MINUTE, []],
    ["not if the bot is not a member", { ...BOT, isMember: false }, 2 * MINUTE, []],
  ])("comes %s", async (_, options, ms, pinged) => {
    expect(pings(await answeredAfter(createAppHarness(options), ms))).toEqual(pinged);
  });

  it("does not come if only the asker sees the answer, or if the asker stopped it", async () => {
    const hidden = createAppHarness(BOT);
    await hidden.ask(theo, "a long story", { forceEphemeral: true });
    await hidden.pass(2 * MINUTE);
    hidden.channel.answer(says("Done."));
    await hidden.pass(10_000);
    expect([shown(hidden).length, pings(hidden)]).toEqual([1, []]);

    const stopped = createAppHarness(BOT);
    await stopped.ask(theo, "a long story");
    await stopped.pass(2 * MINUTE);
    await stopped.use(theo, "stop");
    await stopped.pass(10_000);
    expect(pings(stopped)).toEqual([]);
  });

  it("comes once, at whichever request a life dies", async () => {
    const whole = await answeredAfter(createAppHarness(BOT), 2 * MINUTE);
    const requests = whole.discord.log.length;
    for (let request = 1; request <= requests; request++)
      for (const when of ["before", "after"] as const) {
        const place = await answeredAfter(createAppHarness({ ...BOT, death: { request, when } }), 2 * MINUTE);
        for (let tries = 0; tries < 3; tries++) {
          if (place.channel.streams() > 0) place.channel.answer(says("Done."));
          await place.pass(20_000);
        }
        expect([request, when, pings(place)]).toEqual([request, when, [theo]]);
        expect(shown(place).filter(({ content }) => content === say.answerReady(theo))).toHaveLength(1);
        expect([place.channel.clock.pending(), place.channel.alarmAt()]).toEqual([0, null]);
      }
  });

  it("is repeated for two minutes after a lost answer, with the same nonce, but not by a later life", async () => {
    const place = await answeredAfter(createAppHarness(BOT), 2 * MINUTE);
    const [turn] = place.channel.store.recentTurns(1, { userId: theo, moderator: true });
    if (!turn) throw new Error("there is no turn");
    // A life stored the message and died; the next one comes too late to rely on Discord recognizing the nonce.
    const since = place.channel.clock.now() - NONCE_LIFE_MS;
    place.channel.store.saveTurn({ ...turn, state: "closing", ping: { state: "sending", id: null, since } });
    place.channel.crash();
    await place.ask(theo, "and now?");
    await place.pass(1000);
    place.channel.answer(says("Now this."));
    await place.pass(20_000);
    expect([pings(place), turn.ping?.state]).toEqual([[theo], "sent"]);
  });
});
