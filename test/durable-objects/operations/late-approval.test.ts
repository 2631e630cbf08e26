// A call that needs approval late in its token's life, or while its reply waits for a click on Continue: nobody can read the request before
// that click, which brings a new token.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { end, saysUncounted as says, tool } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const MINUTE = 60_000;
const WAITS = `${say.deliveryWaits} [Stop Continue]`;
const wanted = (ms: number) =>
  `Let me.\n\n${say.approvalWanted(theo, { summary: "purge" }, false, ms)} [Approve Deny Stop]`;

/** Lets the model make a call that needs approval this many minutes after the question. `isBegun`: its words came at once. */
async function wanting(minutes: number, { bot = false, isBegun = false }) {
  let purged = 0;
  const purge = tool("purge", () => ({ ok: true, data: `purged ${++purged}` }), {
    category: "dangerous",
    hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
  });
  const place = createAppHarness({ tools: [purge], bot });
  await place.ask(theo, "tidy up");
  const words: ModelEvent[] = [{ kind: "text", text: "Let me." }];
  await place.pass(1000);
  if (isBegun) place.channel.stream(words);
  await place.pass(minutes * MINUTE - 1000);
  place.channel.answer([...(isBegun ? [] : words), end(["purge"])]);
  await place.pass(5000);
  return { place, purged: () => purged };
}

/** The same after fourteen minutes. The bot has no token of its own. */
async function asking(): Promise<{ place: AppHarness; purged: () => number }> {
  const asked = await wanting(14, {});
  expect(asked.place.reads()).toEqual([WAITS]);
  return asked;
}

const clickAfter = async (place: AppHarness, ms: number, label: string) => {
  await place.pass(ms);
  await place.click(theo, label);
  await place.pass(10_000);
};

it.each([
  ["a minute before the token ends if only the token can show how the answer continues", false, 6],
  ["after ten minutes if the bot's own token can show that", true, 10],
])("a request for approval eight minutes after the question expires %s", async (_, bot, minutes) => {
  const { place } = await wanting(8, { bot, isBegun: true });
  expect(place.reads()).toEqual([wanted(minutes * MINUTE)]);
  const waiting = () => place.channel.store.state().parked.length;
  await place.pass(minutes * MINUTE - 6000);
  expect(waiting()).toBe(1);
  await place.pass(2000);
  expect(waiting()).toBe(0);
});

describe("a request for approval that waits for Continue", () => {
  it.each(["the same life", "a later life"])("can be approved after the click, in %s", async (life) => {
    const { place, purged } = await asking();
    if (life === "a later life") place.channel.crash();
    await clickAfter(place, 7 * MINUTE, "Continue");
    expect(place.reads()).toEqual([wanted(3 * MINUTE)]);
    await clickAfter(place, 2 * MINUTE, "Approve");
    expect(purged()).toBe(1);
    place.channel.answer(says("Tidy."));
    await place.pass(5000);
    expect(place.reads()[0]).toBe("Let me.\n\nTidy.");
  });

  it("expires ten minutes after the call if nobody clicks", async () => {
    const { place, purged } = await asking();
    await place.pass(10 * MINUTE - 6000);
    expect(place.channel.store.state().parked.length).toBe(1);
    await place.pass(6000);
    expect(place.channel.store.state()).toMatchObject({
      parked: [],
      running: { approval: { decision: { kind: "expired" } } },
    });
    place.channel.answer(says("Nobody said yes."));
    await place.pass(5000);
    await clickAfter(place, MINUTE, "Continue");
    expect(place.reads()).toEqual(["Let me.\n\nNobody said yes."]);
    expect(purged()).toBe(0);
  });
});
