// Retry below a failed try at another answer, once a later try has replaced the answer.
import { expect, it } from "vitest";
import { endingNotice } from "../../../src/core/copy/endings.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { saysUncounted as says } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const failure: ModelEvent[] = [{ kind: "failed", failure: { reason: "refused", message: "no" } }];
const failed = endingNotice({ kind: "model_failed", reason: "refused" });

async function answered(place: AppHarness, events: ModelEvent[]): Promise<void> {
  await place.pass(1000);
  place.channel.answer(events);
  await place.pass(5000);
}

/** Gives Theo an answer and a failed try at another one. */
async function triedAgain(): Promise<AppHarness> {
  const place = createAppHarness({ bot: true });
  await place.ask(theo, "a story");
  await answered(place, says("One."));
  await place.click(theo, "Regenerate");
  await answered(place, failure);
  expect(place.reads()).toEqual(["One.", `${failed} [Retry]`]);
  return place;
}

it("adds no second answer: the question was asked again, and its newer answer is below", async () => {
  const place = await triedAgain();
  await place.click(theo, "Regenerate");
  await answered(place, says("Two."));
  expect(place.reads()).toEqual([`${failed} [Retry]`, "Two."]);
  await place.click(theo, "Retry");
  await place.pass(5000);
  expect(place.reads()).toEqual([`${failed} [Retry]`, "Two.", refusalText({ reason: "asked_again" })]);
  expect(place.channel.streams()).toBe(0);
});

it("asks again if the answer is still there, or was deleted", async () => {
  for (const isDeleted of [false, true]) {
    const place = await triedAgain();
    if (isDeleted) await place.click(theo, "Delete");
    await place.pass(5000);
    await place.click(theo, "Retry");
    await answered(place, says("Two."));
    expect(place.reads().filter((text) => !text.startsWith("Deleted"))).toEqual([failed, "Two."]);
  }
});
