// Answers in threads of their own: what the channel shows and keeps, what the thread's object gets, where the answer goes if there can't be a
// thread, and that there is one thread and one turn, whatever dies.
import { describe, expect, it } from "vitest";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { traceChoiceText } from "../../../src/core/copy/trace.ts";
import { FIRST_EDIT_GRACE_MS } from "../../../src/core/limits.ts";
import type { Receipt, Submission } from "../../../src/core/state/rpc.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type AppHarness, type AppHarnessOptions, createAppHarness, START } from "../../support/app-harness.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo } = PEOPLE;

type Place = AppHarness & { taken: { to: string; submission: Submission }[] };

/** Makes a channel, and a thread's object that gives this answer. */
function placeWith(
  options: AppHarnessOptions = {},
  answer: () => Promise<Receipt> = async () => ({ kind: "accepted" }),
) {
  const taken: Place["taken"] = [];
  const submitTo = (to: string, submission: Submission) => {
    taken.push({ to, submission });
    return answer();
  };
  return { ...createAppHarness({ bot: true, settings: {}, submitTo, ...options }), taken };
}

/** Lets Theo ask for a thread. */
async function asks(place: Place, channel: string = PLACES.general, thread = true): Promise<Place> {
  const options = { message: "Why *is* the sky blue?", ...(thread && { thread }) };
  await place.discord.interact({ kind: "command", name: "chat", channel, as: theo, options });
  await place.pass(1500);
  await place.pass(5000);
  return place;
}

async function answered(place: Place): Promise<Place> {
  place.channel.answer(says("Rayleigh."));
  await place.pass(5000);
  return place;
}

const threads = ({ discord }: Place) =>
  discord.log.filter(({ path, status }) => path.endsWith("/threads") && status === 201).map(({ body }) => body);
const shown = ({ discord }: Place, channel: string = PLACES.general) =>
  discord.messages(channel, theo).flatMap(({ author, content }) => (author.bot ? [content] : []));
const rested = ({ channel }: Place) => [channel.clock.pending(), channel.alarmAt(), channel.store.state().closing];

describe("/chat thread:true", () => {
  it("opens a thread on the reply, and the turn belongs to the thread's own object, which begins it", async () => {
    const place = await asks(placeWith());
    const [{ to = "", submission } = {}] = place.taken;
    expect(shown(place)).toEqual([`> Why \\*is\\* the sky blue?\n${say.answersInThread(to)}`]);
    expect(threads(place)).toEqual([{ name: "Why *is* the sky blue?", auto_archive_duration: 1440 }]);
    expect(submission).toMatchObject({
      trigger: { text: "Why *is* the sky blue?", userId: theo, token: null, channelId: to, beginsThread: true },
      parentSettings: {},
    });
    expect(submission?.trigger).not.toHaveProperty("showsQuestion");
    expect([place.channel.requests, place.channel.store.messagesBefore("", 9, null), rested(place)]).toEqual([
      [],
      [],
      [0, null, []],
    ]);
    expect(place.discord.violations).toEqual([]);
  });

  it("keeps its words only in the thread's object, because forgetting reaches the channels that have answered", async () => {
    const place = await asks(placeWith());
    const viewer = { userId: theo, moderator: false };
    const [left] = place.channel.store.recentTurns(1, viewer);
    expect([left?.state, left?.request.text, left?.request.userName]).toEqual(["finished", "", ""]);
    expect(left?.endedAt).toBe(left?.events.find(({ what }) => what === "in a thread")?.at);
    const [choice] = place.channel.traces(viewer);
    expect(choice && traceChoiceText(choice)).toBe(`${left?.id}:  (finished)`);
  });

  it("reaches Discord and the thread's object once, at whichever request a life dies", async () => {
    const requests = (await asks(placeWith())).discord.log.length;
    expect(requests).toBe(3);
    for (let request = 1; request <= requests; request++)
      for (const when of ["before", "after"] as const) {
        const place = await asks(placeWith({ death: { request, when } }));
        await place.pass(60_000);
        const ids = new Set(place.taken.map(({ to, submission }) => `${to} ${submission.trigger.interactionId}`));
        expect([request, when, threads(place).length, ids.size]).toEqual([request, when, 1, 1]);
        expect(shown(place)).toEqual([
          `> Why \\*is\\* the sky blue?\n${say.answersInThread(place.taken[0]?.to ?? "")}`,
        ]);
        expect(rested(place)).toEqual([0, null, []]);
      }
  });

  it("is never answered in the channel once the thread's object may have it", async () => {
    let isReached = true;
    const place = placeWith({}, async () => {
      if (isReached) throw new Error("no answer");
      return { kind: "accepted" };
    });
    await asks(place);
    place.channel.crash();
    await place.pass(20 * 60_000);
    isReached = false;
    await place.pass(60_000);
    expect([place.channel.requests, place.channel.store.state().queue, rested(place)]).toEqual([[], [], [0, null, []]]);
  });

  it("links to the thread with the bot's own token if a life died after opening it and the next one began an hour later", async () => {
    let isReached = false;
    const place = placeWith({}, () => (isReached ? Promise.resolve({ kind: "accepted" }) : new Promise(() => {})));
    await asks(place);
    expect([threads(place).length, place.taken.length]).toEqual([1, 1]);
    isReached = true;
    place.channel.crash();
    await place.channel.clock.advance(3_600_000);
    await place.pass(60_000);
    const [{ to = "" } = {}] = place.taken;
    expect(shown(place)).toEqual([`> Why \\*is\\* the sky blue?\n${say.answersInThread(to)}`]);
    expect([threads(place).length, rested(place)]).toEqual([1, [0, null, []]]);
  });

  it("shows what the thread's object refuses, and asks again if it can't be reached", async () => {
    const refusal = { reason: "stop_pending" } as const;
    const refused = await asks(placeWith({}, async () => ({ kind: "refused", refusal })));
    expect(shown(refused)).toEqual([`> Why \\*is\\* the sky blue?\n${refusalText(refusal)}`]);

    let tries = 0;
    const place = placeWith({}, async () => {
      if (++tries < 3) throw new Error("no answer");
      return { kind: "accepted" };
    });
    await asks(place);
    expect([tries, shown(place)[0]?.includes("The answer is in")]).toEqual([3, true]);
  });

  it.each<[string, AppHarnessOptions, string]>([
    ["without the bot's token", { bot: false }, say.noThreadBecause.no_bot],
    [
      "if the bot doesn't have the permissions",
      { bend: (body) => body.replace(/"app_permissions":"\d+"/, '"app_permissions":"2048"') },
      say.noThreadBecause.bot_not_allowed,
    ],
    [
      "if the person doesn't have the permission",
      { bend: (body) => body.replace(/"permissions":"\d+"/, '"permissions":"2048"') },
      say.noThreadBecause.not_allowed,
    ],
    ["if Discord refuses it", { isMember: false }, "the bot is not a member here or may not see this channel"],
  ])("answers in the channel %s, and says why", async (_, options, why) => {
    const place = await asks(placeWith(options));
    await answered(place);
    expect(shown(place)).toEqual([`> Why \\*is\\* the sky blue?\nRayleigh.\n\n${say.noThread(why)}`]);
    expect([place.taken, threads(place), rested(place)]).toEqual([[], [], [0, null, []]]);
  });

  it("says both if there is neither a thread nor an answer", async () => {
    const place = await asks(placeWith({ bot: false }));
    place.channel.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await place.pass(5000);
    const [line = ""] = shown(place);
    expect(line).toContain(say.noThread(say.noThreadBecause.no_bot));
    expect(line).toContain(endingNotice({ kind: "model_failed", reason: "refused" }) ?? "no line");
  });

  it("refers to no words above it if there are none", async () => {
    const place = await asks(placeWith({ bot: false, turnDeadlineMs: 60_000 }));
    await place.pass(80_000);
    const why = say.noThread(say.noThreadBecause.no_bot);
    expect(shown(place)[0]).toContain(`${why}\n-# ⚠️ This answer ran out of time. Send another message to continue.`);
  });

  it.each([
    ["its first edit failed", 500, {}],
    ["Discord asked to wait", 429, { retry_after: 1, global: false }],
    ["Discord does not know its token yet", 404, { code: 10015, message: "Unknown Webhook" }],
  ])("opens the thread a moment later if %s", async (_, status, body) => {
    const place = placeWith();
    place.discord.failNext(1, Response.json(body, { status }), ({ path }) => path.endsWith("@original"));
    await asks(place);
    expect([threads(place).length, place.taken.length, rested(place)]).toEqual([1, 1, [0, null, []]]);
  });

  it("is tried for the last time a minute after the question", async () => {
    const place = placeWith();
    const asked = place.channel.clock.now();
    const isTry = ({ path }: { path: string }) => path.endsWith("@original");
    place.discord.failNext(1000, Response.json({}, { status: 500 }), isTry);
    await asks(place);
    place.channel.crash();
    await place.channel.clock.advance(asked + 60_000 - FIRST_EDIT_GRACE_MS - place.channel.clock.now());
    place.channel.runAlarm();
    await place.channel.clock.advance(FIRST_EDIT_GRACE_MS + 1500);
    expect(place.discord.log.findLast(isTry)?.at).toBe(asked + 60_000);
  });

  it.each([
    ["in the thread if Discord knows its token after ten seconds", 10, 1],
    ["in the channel if Discord still does not know it then", 11, 0],
  ])("is answered %s", async (_, times, opened) => {
    const place = placeWith();
    const unknown = Response.json({ code: 10015, message: "Unknown Webhook" }, { status: 404 });
    place.discord.failNext(times, unknown, ({ path }) => path.endsWith("@original"));
    await asks(place);
    await place.pass(5000);
    await place.pass(5000);
    expect([threads(place).length, place.taken.length, place.channel.streams()]).toEqual([opened, opened, 1 - opened]);
  });

  it("is answered in the thread even if Discord says late that it did not know the token", async () => {
    const place = placeWith();
    const unknown = Response.json({ code: 10015, message: "Unknown Webhook" }, { status: 404 });
    place.discord.failNext(1, unknown, ({ path }) => {
      const isFirst = path.endsWith("@original") && place.channel.clock.now() < START + 10_000;
      if (isFirst) place.channel.clock.jump(12_000);
      return isFirst;
    });
    await asks(place);
    expect([threads(place).length, place.taken.length]).toEqual([1, 1]);
  });

  it("opens the thread a moment later if Discord could not open it", async () => {
    const place = placeWith();
    place.discord.failNext(1, Response.json({}, { status: 500 }), ({ path }) => path.endsWith("/threads"));
    await asks(place);
    expect([threads(place).length, place.taken.length, rested(place)]).toEqual([1, 1, [0, null, []]]);
  });

  it.each([
    ["x".repeat(80), "x".repeat(80)],
    ["x".repeat(81), `${"x".repeat(79)}…`],
  ])("names the thread after the first 80 characters of the question: %s", async (message, name) => {
    const place = placeWith();
    const options = { message, thread: true };
    await place.discord.interact({ kind: "command", name: "chat", channel: PLACES.general, as: theo, options });
    await place.pass(1500);
    await place.pass(5000);
    expect(threads(place)).toMatchObject([{ name }]);
  });

  it.each([
    ["threads", 160_006],
    ["threads of announcements", 160_007],
  ])("is requested once if the server has as many %s as it may have, and people read why", async (_, code) => {
    const place = placeWith();
    const full = Response.json({ code, message: "Maximum number reached" }, { status: 400 });
    place.discord.failNext(1, full, ({ path }) => path.endsWith("/threads"));
    await answered(await asks(place));
    expect(threads(place)).toEqual([]);
    expect(shown(place)[0]).toContain(say.noThread("this server already has the maximum number of active threads"));
  });

  it.each([
    ["a filter of the server", { code: 200_001, message: "Title was blocked by automatic moderation" }],
    ["Discord, in a server that everyone can find,", { code: 50_035, message: "Invalid Form Body" }],
  ])("has a name of ours if %s refuses the words, and people don't see Discord's error code", async (_who, refusal) => {
    const place = placeWith();
    const refused = Response.json(refusal, { status: 400 });
    place.discord.failNext(1, refused, ({ path }) => path.endsWith("/threads"));
    await asks(place);
    expect(threads(place)).toMatchObject([{ name: say.threadName }]);
    const other = placeWith();
    other.discord.failNext(2, refused, ({ path }) => path.endsWith("/threads"));
    await answered(await asks(other));
    expect(shown(other)[0]).toContain(say.noThread(say.noThreadBecause.refused));
  });

  it("is opened on a reply without the question if a filter refuses its words", async () => {
    const place = placeWith();
    const isShown = ({ path, body }: { path: string; body: unknown }) =>
      path.endsWith("@original") && JSON.stringify(body).includes("sky blue");
    place.discord.brew("blocked", 3, isShown);
    await asks(place);
    const [{ to = "" } = {}] = place.taken;
    expect([threads(place).length, shown(place)]).toEqual([1, [say.answersInThread(to)]]);
  });

  it("names the thread after the person's own words, with names for mentions and without spoilers", async () => {
    const place = await createMessageHarness({ settings: { auto_thread: "true" }, readsContent: true });
    const names = async (words: string, how = {}) => {
      place.write(theo, `${BOT} ${words}`, how);
      await place.rest();
      const opened = place.world.discord.log.findLast(
        ({ path, status }) => path.endsWith("/threads") && status === 201,
      );
      return (opened?.body as { name: string } | undefined)?.name;
    };
    const replyTo = place.write(PEOPLE.mira, "The train is late.");
    expect(await names(`what does <@${PEOPLE.mira}> mean <:wave:1180000000000000099>`, { replyTo })).toBe(
      "what does @Mira mean :wave:",
    );
    expect(await names("did ||Snape|| do it?")).toBe("did … do it?");
    expect(await names("||Snape||")).toBe("…");
  });

  it("answers in the channel at once if Discord permanently refuses the first edit", async () => {
    const place = placeWith();
    const refusal = Response.json({ code: 50035, message: "Invalid Form Body" }, { status: 400 });
    place.discord.failNext(1, refusal, ({ path }) => path.endsWith("@original"));
    await answered(await asks(place));
    expect([place.taken, threads(place)]).toEqual([[], []]);
    expect(shown(place)[0]).toContain(say.noThreadBecause.unreachable);
  });

  it("answers in place outside servers, and in a thread without mentioning it", async () => {
    const direct = await answered(await asks(placeWith(), PLACES.dmOfTheo));
    expect(shown(direct, PLACES.dmOfTheo)).toEqual([`Rayleigh.\n\n${say.noThread(say.noThreadBecause.outside)}`]);
    const thread = await answered(await asks(placeWith(), PLACES.thread));
    expect(shown(thread, PLACES.thread)).toEqual(["> Why \\*is\\* the sky blue?\nRayleigh."]);
  });

  // A visitor's object inherits the channel's settings, as a thread inherits its parent's.
  it.each([
    ["in a conversation between people", PEOPLE.wren, PLACES.groupDm, say.noThreadBecause.outside],
    ["in a server that has not added it", theo, PLACES.general, say.noThreadBecause.no_bot],
    ["in a thread there, without a word", theo, PLACES.thread, null],
  ])("answers a person who brought the bot along %s", async (_, as, channel, why) => {
    const place = placeWith();
    const options = { message: "Why?", thread: true };
    await place.discord.interact({ kind: "command", name: "chat", channel, as, options, userInstallOnly: true });
    await place.pass(1500);
    await answered(place);
    const own = place.discord.messages(channel, as).flatMap(({ author, content }) => (author.bot ? [content] : []));
    expect(own).toEqual([why === null ? "Rayleigh." : `Rayleigh.\n\n${say.noThread(why)}`]);
  });
});

describe("the setting auto_thread", () => {
  it("opens a thread for every question in a server, whatever the person's permissions, and for none by default", async () => {
    const bend = (body: string) => body.replace(/"permissions":"\d+"/, '"permissions":"2048"');
    const place = await asks(placeWith({ settings: { auto_thread: "true" }, bend }), PLACES.general, false);
    expect([threads(place).length, place.taken.length]).toEqual([1, 1]);
    const usual = await answered(await asks(placeWith(), PLACES.general, false));
    expect([threads(usual), shown(usual)]).toEqual([[], ["> Why \\*is\\* the sky blue?\nRayleigh."]]);
  });
});

it("opening a thread is not tried for five minutes in a channel where the bot may not, because each refusal counts toward a ban", async () => {
  const place = await createMessageHarness({ settings: { auto_thread: "true" } });
  const isThread = ({ path }: { path: string }) => path.endsWith("/threads");
  place.world.discord.brew("forbidden", 9, isThread);
  for (const [passMs, tries] of [
    [10_000, 1],
    [10_000, 0],
    [290_000, 0],
    [10_000, 1],
  ] as const) {
    place.write(theo, `${BOT} hello`);
    await place.pass(passMs);
    expect(place.requests().filter((line) => line.includes("/threads"))).toHaveLength(tries);
  }
  expect(place.reads()[1]).toContain(say.noThread(say.noThreadBecause.bot_not_allowed));
  expect(place.reads()).toHaveLength(4);
});
