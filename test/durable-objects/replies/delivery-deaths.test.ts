// A death at every request of a delivery during which the token expires, before and after Discord gets the request. Whatever dies,
// the whole answer is readable in the end, once, with nothing left over. The crash sweep kills at writes and awaits; only here do
// 15 minutes pass.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, type AppHarnessOptions, createAppHarness } from "../../support/app-harness.ts";

const { theo } = PEOPLE;
const MINUTE = 60_000;
const LENGTH = 5000;
const text = Array.from({ length: LENGTH / 10 }, (_, index) =>
  `word${String(index).padStart(5, "0")} `.slice(0, 10),
).join("");
const end: ModelEvent = { kind: "end", finishReason: "stop", calls: [], usage: null };

/** Lets a new life take over the turn, and the model give the same answer again. */
async function settleDown(place: AppHarness): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    await place.pass(MINUTE);
    if (place.channel.streams() > 0) place.channel.answer([{ kind: "text", text }, end]);
  }
  await place.pass(MINUTE);
}

/** Theo asks; the model begins, is slow for 15 minutes and ends; Theo returns later and clicks Continue. */
async function story(options: AppHarnessOptions): Promise<AppHarness> {
  const place = createAppHarness(options);
  await place.ask(theo, "a long story");
  await place.pass(1000);
  place.channel.stream([{ kind: "text", text: text.slice(0, 3000) }]);
  await place.pass(13 * MINUTE + 5000);
  // A new life has asked the model again.
  const isFirst = place.channel.requests.length === 1;
  place.channel.answer([{ kind: "text", text: isFirst ? text.slice(3000) : text }, end]);
  await settleDown(place);
  await place.pass(30 * MINUTE);
  for (let presses = 0; presses < 3 && place.buttons().some((id) => /^(resume|stop):/.test(id)); presses++) {
    const label = place.buttons().some((id) => id.startsWith("resume:")) ? "Continue" : "Stop";
    await place.click(theo, label);
    await settleDown(place);
  }
  return place;
}

/** What is wrong at the end of the story, in words. */
function faults({ channel, discord, ...place }: AppHarness): string[] {
  const messages = discord.messages(PLACES.general, theo).filter(({ author, ephemeral }) => author.bot && !ephemeral);
  const file = messages.flatMap(({ attachments }) => attachments.map((attachment) => attachment.text))[0];
  const read = messages.map(({ content }) => content).join("");
  const { lock, running, queue, closing } = channel.store.state();
  const contents = messages.map(({ content }) => content);
  return [
    ...(file === text || read === text
      ? []
      : [`reads ${JSON.stringify(contents.map((one) => [one.slice(0, 12), one.length]))}`]),
    ...contents.filter((one, index) => contents.indexOf(one) !== index).map((one) => `twice: ${one.slice(0, 20)}`),
    ...(contents.some((one) => one.includes(say.deliveryWaits)) ? ["still asks for a press"] : []),
    ...(place.buttons().length > 0 ? [`buttons are left: ${place.buttons()}`] : []),
    ...(lock.turnId || running || queue.length + closing.length > 0 ? ["turns are left"] : []),
    ...(channel.clock.pending() > 0 ? ["timers are left"] : []),
    ...(channel.alarmAt() === null ? [] : ["an alarm is left"]),
  ];
}

describe.each([
  ["by the token and a click", {}],
  ["by the token and then by the bot", { bot: true }],
] as const)("a delivery %s", (_, options) => {
  it("arrives whole and once, at whichever request a life dies", async () => {
    const whole = await story(options);
    expect(faults(whole)).toEqual([]);
    const requests = whole.discord.log.length;
    expect(requests).toBeGreaterThan(5);
    for (let request = 1; request <= requests; request++)
      for (const when of ["before", "after"] as const) {
        const place = await story({ ...options, death: { request, when } });
        expect([request, when, faults(place)]).toEqual([request, when, []]);
        expect(place.discord.violations).toEqual([]);
      }
  });
});
