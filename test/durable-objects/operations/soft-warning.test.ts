// The line that says that a turn takes longer than usual: shown once, even across a death, and later if nobody could see it.
import { expect, it } from "vitest";
import { warnIfSlow } from "../../../durable-objects/operations/soft-warning.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { createMessageHarness } from "../../support/message-harness.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const WARNING = /Still working/g;
const SECOND_MS = 1000;

/** Lets Theo ask, and the model call a tool this many times. */
async function afterCalls(count: number, place: AppHarness): Promise<AppHarness> {
  await place.ask(theo, "look");
  await place.pass(SECOND_MS);
  for (let round = 0; round < count; round++) {
    place.channel.answer([end([["look", { note: `${round}` }]])]);
    await place.pass(SECOND_MS);
  }
  return place;
}
const open = (settings: Record<string, string> = {}) =>
  createAppHarness({
    tools: [tool("look", () => ({ ok: true, data: "nothing" }))],
    settings: { show_question: "false", ping_when_done: "never", channel_context: "0", ...settings },
  });
const warnings = (place: AppHarness) => place.reads()[0]?.match(WARNING)?.length ?? 0;
const running = ({ channel }: AppHarness) => channel.store.state().running ?? expect.fail("no turn runs");

it("a turn warns once from its twentieth step on, even if another life continues it", async () => {
  const place = await afterCalls(19, open());
  await place.pass(20 * SECOND_MS);
  expect(warnings(place)).toBe(0);
  place.channel.answer([end([["look", { note: "once more" }]])]);
  await place.pass(20 * SECOND_MS);
  expect([warnings(place), running(place).warnedAt]).toEqual([1, expect.any(Number)]);
  place.channel.crash();
  await place.pass(60 * SECOND_MS);
  expect(warnings(place)).toBe(1);
  place.channel.answer([text("Nothing."), end()]);
  await place.pass(20 * SECOND_MS);
  expect(place.reads()).toEqual(["Nothing."]);
});

it("a warning that nobody can see is not given, and is due again a minute later", async () => {
  const place = await afterCalls(20, open({ notices: "false" }));
  const tries = new Set<number | null>();
  const from = place.channel.clock.now();
  for (let seconds = 0; seconds < 150; seconds++) {
    await place.pass(SECOND_MS);
    tries.add(running(place).softWarnAt);
  }
  const [first, second, third, ...more] = [...tries].map((at) => (at ?? 0) - from);
  expect([warnings(place), running(place).warnedAt, more]).toEqual([0, null, []]);
  expect([(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)]).toEqual([60 * SECOND_MS, 60 * SECOND_MS]);
});

it("a turn without slow steps gets no warning", async () => {
  const place = await createMessageHarness({ answerTo: () => ({ texts: ["Hello."], hang: true }) });
  await place.use(theo, "chat", { message: "hi" });
  await place.pass(5 * SECOND_MS);
  const { channel } = place.world.life ?? expect.fail("no life runs");
  warnIfSlow(channel);
  await place.pass(5 * SECOND_MS);
  expect(place.reads()).toEqual(["> hi\nHello. [Stop]"]);
});
