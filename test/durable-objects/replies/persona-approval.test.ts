// A persona that needs a person's approval: its request has its own buttons, while Stop stays on the scene's header.
import { describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const { theo, mira } = PEOPLE;
const MINUTE = 60_000;
const here = { kind: "command", channel: PLACES.general } as const;
const BOT = [
  ["the bot's own message", true],
  ["a followup of the interaction", false],
] as const;

/** Ada was asked to delete everything, thought for this long, and has asked for approval. */
async function adaAsks(bot: boolean, thinksMs = 5000): Promise<{ place: AppHarness; runs: string[] }> {
  const runs: string[] = [];
  const purge = tool(
    "purge",
    async ({ idempotencyKey }) => {
      runs.push(idempotencyKey);
      return { ok: true, data: "purged" };
    },
    { category: "dangerous", hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true } },
  );
  const place = createAppHarness({ bot, tools: [purge] });
  const ada = { name: "Ada", prompt: "You count." };
  await place.discord.interact({ ...here, as: mira, name: "persona", subcommand: "create", options: ada });
  await place.discord.interact({ ...here, as: theo, name: "scene", options: { personas: "Ada", prompt: "Purge." } });
  await place.pass(thinksMs);
  place.channel.answer([text("I could."), end([["purge", { note: "all" }]])]);
  await place.pass(5000);
  return { place, runs };
}
const endings = (place: AppHarness) => place.reads().map((read) => read.match(/\[[^\]]*\]$/)?.[0] ?? "");

describe("a persona's dangerous call", () => {
  it.each(BOT)("in %s is approved by its button, and the answer continues without buttons", async (_, bot) => {
    const { place, runs } = await adaAsks(bot);
    expect(endings(place)).toEqual(["[Stop]", "[Approve Deny]"]);
    await place.click(theo, "Approve");
    await place.pass(5000);
    expect([runs.length, endings(place)]).toEqual([1, ["[Stop]", "", ""]]);
    place.channel.answer([text(" Done."), end()]);
    await place.pass(5000);
    expect(place.reads()).toEqual(["-# Scene: Ada", "**Ada:** I could.\n\n Done.", "Approved. The answer continues."]);
  });

  it.each(BOT)("in %s still has its buttons after a death, and can be denied with one", async (_, bot) => {
    const { place, runs } = await adaAsks(bot);
    place.channel.crash();
    place.channel.runAlarm();
    await place.pass(5000);
    await place.click(theo, "Deny");
    await place.pass(5000);
    place.channel.answer([text(" Then not."), end()]);
    await place.pass(5000);
    expect([runs, endings(place)]).toEqual([[], ["", "", ""]]);
    expect(place.reads()[1]).toBe("**Ada:** I could.\n\n Then not.");
  });

  it.each(BOT)("in %s continues when somebody deletes the header above it", async (_, bot) => {
    const { place, runs } = await adaAsks(bot);
    const header = place.discord.messages(PLACES.general, mira).find(({ content }) => content.startsWith("-# Scene"));
    place.discord.touch({ kind: "delete", as: mira, messageId: header?.id ?? "" });
    place.channel.crash();
    await place.click(theo, "Approve");
    await place.pass(5000);
    place.channel.answer([text(" Done."), end()]);
    await place.pass(5000);
    expect([runs.length, endings(place)]).toEqual([1, ["", ""]]);
    expect(place.reads()[0]).toBe("**Ada:** I could.\n\n Done.");
  });

  it("expires a minute before the token if only the token can show how it ends", async () => {
    const { place, runs } = await adaAsks(false, 8 * MINUTE);
    await place.pass(6 * MINUTE + 5000);
    place.channel.answer([text(" No one came."), end()]);
    await place.pass(5000);
    expect([runs, place.reads()]).toEqual([[], ["-# Scene: Ada", "**Ada:** I could.\n\n No one came."]]);
  });
});
