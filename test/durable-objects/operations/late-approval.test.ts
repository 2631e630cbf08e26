// A call that needs an approval while its reply waits for a click on Continue: nobody can read the request before that click, which brings a
// new token.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { end, saysUncounted as says, tool } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const MINUTE = 60_000;
const WAITS = `${say.deliveryWaits} [Stop Continue]`;
const wanted = (ms: number) =>
  `Let me.\n\n${say.approvalWanted(theo, { summary: "purge" }, false, ms)} [Approve Deny Stop]`;

/** Fourteen minutes after the question the model wants what needs an approval. The bot has no token of its own. */
async function asking(): Promise<{ place: AppHarness; purged: () => number }> {
  let purged = 0;
  const purge = tool("purge", () => ({ ok: true, data: `purged ${++purged}` }), {
    category: "dangerous",
    hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
  });
  const place = createAppHarness({ tools: [purge] });
  await place.ask(theo, "tidy up");
  await place.pass(14 * MINUTE);
  place.channel.answer([{ kind: "text", text: "Let me." }, end(["purge"])]);
  await place.pass(5000);
  expect(place.reads()).toEqual([WAITS]);
  return { place, purged: () => purged };
}

const clickAfter = async (place: AppHarness, ms: number, label: string) => {
  await place.pass(ms);
  await place.click(theo, label);
  await place.pass(10_000);
};

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

  it("expires ten minutes after it was asked for, where nobody clicks", async () => {
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
