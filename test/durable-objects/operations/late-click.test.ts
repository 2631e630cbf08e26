// A click that the channel's object takes so late that the Worker has already answered privately that it can't be reached. The click's
// token then changes that private sentence, not the message with the button.
import { expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { refusalText } from "../../../src/core/copy/refusals.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { type AppHarness, type AppHarnessOptions, createAppHarness } from "../../support/app-harness.ts";
import { end, saysUncounted as says, text, tool } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const MINUTE = 60_000;
const DANGER: Partial<Tool> = {
  category: "dangerous",
  hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
};

/** Makes a place where Theo has asked. */
async function asked(options: AppHarnessOptions = {}): Promise<AppHarness> {
  const place = createAppHarness({ logsErrors: true, ...options });
  await place.ask(theo, "a story");
  await place.pass(1000);
  return place;
}

/** Lets Mira or Theo click, without the Worker learning what the object has done. */
async function clickInVain(place: AppHarness, as: string, label: string): Promise<void> {
  const { port } = place.channel;
  const real = { ...port };
  const lost = async (work: Promise<unknown>): Promise<never> => {
    await work;
    throw new Error("the object's answer was lost");
  };
  port.resume = (request) => lost(real.resume(request));
  port.approve = (click) => lost(real.approve(click));
  port.stop = (request) => lost(real.stop(request));
  port.remove = (request) => lost(real.remove(request));
  port.again = (request) => lost(real.again(request));
  await place.click(as, label);
  await place.pass(5000);
  Object.assign(port, real);
}

it("Continue shows the rest to everyone with the next click", async () => {
  const place = await asked();
  await place.pass(13 * MINUTE);
  place.channel.answer(says("The story."));
  await place.pass(5000);
  await clickInVain(place, mira, "Continue");
  expect(place.reads()).toEqual([expect.stringContaining("[Continue]")]);
  await place.click(theo, "Continue");
  await place.pass(5000);
  expect(place.reads()).toEqual(["The story."]);
});

it("an approved call's answer continues where everyone can read it, by the bot", async () => {
  const purge = tool("purge", async () => ({ ok: true, data: "done" }), DANGER);
  const place = await asked({ bot: true, tools: [purge] });
  place.channel.answer([text("I could."), end(["purge"])]);
  await place.pass(5000);
  await clickInVain(place, mira, "Approve");
  place.channel.answer(says("Purged."));
  await place.pass(5000);
  expect(place.reads()).toEqual(["I could.\n\nPurged."]);
});

it("a stopped answer loses its Stop with the next click", async () => {
  const place = await asked();
  place.channel.stream([text("Once upon a time")]);
  await place.pass(5000);
  await clickInVain(place, theo, "Stop");
  expect(place.reads(mira)).toEqual(["Once upon a time [Stop]"]);
  await place.click(theo, "Stop");
  await place.pass(5000);
  expect(place.reads(mira)).toEqual([`Once upon a time\n\n-# Stopped by <@${theo}>.`]);
});

it("Delete forgets the answer and says that its message stays", async () => {
  const place = await asked();
  place.channel.answer(says("The story."));
  await place.pass(5000);
  place.channel.crash();
  await clickInVain(place, theo, "Delete");
  await place.pass(5000);
  expect(place.reads(mira)).toEqual(["The story."]);
  expect(place.reads()).toEqual(["The story.", refusalText({ reason: "unavailable" }), deletedText(1, true)]);
});

it.each([
  ["at once", 0],
  ["while people look on", 5000],
])("Regenerate, whose answer comes %s and only to one person, takes nothing away from everyone else", async (_, ms) => {
  const place = await asked({ bot: true });
  place.channel.answer(says("The story."));
  await place.pass(5000);
  await clickInVain(place, theo, "Regenerate");
  if (ms > 0) place.channel.stream([text("Another")]);
  await place.pass(ms);
  place.channel.answer(says(ms > 0 ? " story." : "Another story."));
  await place.pass(5000);
  expect(place.reads(mira)).toEqual(["The story."]);
  expect(place.reads()).toEqual(["The story.", "Another story."]);
});

it("the model still reads the answer that everyone can read", async () => {
  const place = await asked({ bot: true });
  place.channel.answer(says("The story."));
  await place.pass(5000);
  await clickInVain(place, theo, "Regenerate");
  place.channel.stream([text("Another")]);
  await place.pass(5000);
  place.channel.answer(says(" story."));
  await place.pass(5000);
  await place.ask(mira, "how does it end?");
  await place.pass(1000);
  const read = place.channel.requests.at(-1)?.messages ?? [];
  expect(read.filter(({ role }) => role === "assistant")).toEqual([expect.objectContaining({ text: "The story." })]);
});
