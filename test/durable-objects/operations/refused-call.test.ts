// What a person sees of a call that nobody approved until the model continues: not that the tool is used.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const purge = tool("purge", async () => ({ ok: true, data: "purged" }), {
  category: "dangerous",
  hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
});

/** Lets Theo's turn wait for the approval of a call. */
async function asked(): Promise<AppHarness> {
  const place = createAppHarness({ tools: [purge] });
  await place.ask(theo, "purge it");
  await place.pass(1000);
  place.channel.answer([text("I could."), end([["purge", {}]])]);
  await place.pass(5000);
  return place;
}

/** What the reply says while the model reads the result. */
async function meanwhile(place: AppHarness): Promise<string> {
  await place.pass(5000);
  const [shown = ""] = place.reads();
  place.channel.answer([text("Then not."), end()]);
  await place.pass(5000);
  expect([place.reads(), place.discord.violations]).toEqual([["I could.\n\nThen not."], []]);
  return shown.replace(/ \[.*\]$/, "");
}

describe("a call that nobody approved", () => {
  it("is not shown as used after Deny", async () => {
    const place = await asked();
    const turnId =
      place
        .buttons()
        .find((id) => id.startsWith("deny:"))
        ?.slice("deny:".length) ?? "";
    const userId = place.channel.store.turn(turnId)?.request.userId ?? "";
    const press = { applicationId: "1", token: "", messageId: "" };
    const click = { interactionId: "9", turnId, approved: false, userId, userName: "Theo", moderator: false, press };
    place.channel.approve(click);
    expect(await meanwhile(place)).toBe(`I could.\n\n${say.thinking}`);
  });

  it("is not shown as used when its time is up", async () => {
    const place = await asked();
    await place.pass(600_000);
    expect(await meanwhile(place)).toBe(`I could.\n\n${say.thinking}`);
  });
});
