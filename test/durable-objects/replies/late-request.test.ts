// A request of an ended life reaches Discord seconds later, after the next life has posted the last words. These stay.
import { describe, expect, it } from "vitest";
import { readStrays } from "../../../durable-objects/replies/strays.ts";

import { newTurn, type TurnState } from "../../../src/core/state/record.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarnessOptions, createAppHarness } from "../../support/app-harness.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { testRequest } from "../../support/store-contract.ts";

const { theo } = PEOPLE;
const text = "It begins slowly, goes on for a while, and it ends well.";
const end: ModelEvent = { kind: "end", finishReason: "stop", calls: [], usage: null };

/** Theo asks, the life that sends this request ends, and the next one gets the whole answer at once. */
async function story(options: AppHarnessOptions, request: number) {
  const place = createAppHarness({ ...options, death: { request, when: "late" } });
  await place.ask(theo, "a story");
  place.channel.stream([{ kind: "text", text: text.slice(0, 20) }]);
  for (let seconds = 0; seconds < 15; seconds++) {
    await place.pass(1000);
    // An event, so that a new life takes the turn over.
    place.channel.runAlarm();
    const isFirst = place.channel.requests.length === 1;
    if (isFirst && seconds === 0) place.channel.stream([{ kind: "text", text: text.slice(20, 40) }]);
    else if (place.channel.streams() > 0)
      place.channel.answer([{ kind: "text", text: isFirst ? text.slice(40) : text }, end]);
  }
  await place.pass(60_000);
  return place;
}

describe.each([
  ["by the token", {}],
  ["by the bot", { bot: true }],
] as const)("a reply %s", (_, options) => {
  it.each([
    [1, ["1.15", "2.35", "4.04", "5.04"]],
    [2, ["0.04", "2.15", "3.35", "5.24", "6.24"]],
    [3, ["0.04", "1.24", "3", "6.44", "7.44"]],
  ])("is edited again after request %i of an ended life arrived late", async (request, seconds) => {
    const place = await story(options, request);
    expect(place.reads()).toEqual([text]);
    expect(place.requests()).toEqual(seconds.map((at) => `${at} PATCH original → 200`));
    expect([place.channel.alarmAt(), place.channel.clock.pending()]).toEqual([null, 0]);
  });
});

it("doesn't show Stop again below a long answer whose messages are edited again", async () => {
  const place = createAppHarness({ death: { request: 3, when: "late" } });
  const long = "word ".repeat(600);
  await place.ask(theo, "a story");
  place.channel.stream([{ kind: "text", text: long }]);
  await place.pass(4000);
  place.channel.stream([{ kind: "text", text: "more " }]);
  for (let seconds = 0; seconds < 15; seconds++) {
    await place.pass(1000);
    place.channel.runAlarm();
    if (place.channel.requests.length > 1 && place.channel.streams() > 0)
      place.channel.answer([{ kind: "text", text: `${long}more and more.` }, end]);
  }
  await place.pass(60_000);
  expect(place.requests().map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
    "0.04 PATCH original",
    "0.49 POST token",
    // The last words, while requests of the ended life may still arrive.
    "5.15 PATCH original",
    "6.35 PATCH original",
    "7.55 PATCH token",
    // One of them arrives.
    "8 PATCH token",
    "8.75 PATCH original",
    // The edit is repeated.
    "9.95 PATCH original",
    "11.15 PATCH token",
  ]);
  const stops = place.discord.log.flatMap(({ body }) =>
    JSON.stringify(body).includes('"components"') ? [JSON.stringify(body).includes('"Stop"')] : [],
  );
  expect(stops.slice(stops.indexOf(false))).not.toContain(true);
  expect(place.reads()).toEqual([expect.not.stringContaining("Stop"), expect.stringMatching(/ more and more\.$/)]);
});

describe("requests of the previous life", () => {
  const at = (state: TurnState | null, createdAt: number, bornAt = 1000) => {
    const store = memoryStore();
    if (state) store.insertTurn({ ...newTurn(testRequest("1"), "queued", 0, 0), state });
    return readStrays({ store, clock: () => bornAt })({ createdAt });
  };

  it.each<TurnState>(["queued", "running", "closing"])("may still come for five seconds if a turn is %s", (state) => {
    expect([at(state, 999), at(state, 1000)]).toEqual([6000, 0]);
  });

  it.each<TurnState | null>(["parked", "finished", "refused", null])("can't come any more if a turn is %s", (state) => {
    expect(at(state, 999)).toBe(0);
  });
});
