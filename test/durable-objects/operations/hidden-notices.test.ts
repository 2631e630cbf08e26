// Notices about tools in deliberate mode: one for each call of a tool that a person's words exposed, and only in the thought
// log.
import { describe, expect, it } from "vitest";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";

const { theo } = PEOPLE;
const ON = { deliberate: "on", thought_log_channel: PLACES.thread };
const calling = (...notations: string[]): ModelEvent[] => [
  {
    kind: "end",
    finishReason: "tool_calls",
    calls: notations.map((notation, index) => ({
      id: `c${index}`,
      name: "roll_dice",
      arguments: JSON.stringify({ notation }),
    })),
    usage: null,
  },
];
const WORDS: ModelEvent[] = [
  { kind: "text", text: "Rolled." },
  { kind: "end", finishReason: "stop", calls: [], usage: null },
];
const NOTICE = "`roll_dice` was offered because of `fate` (custom) and was used.";

interface Story {
  settings?: Record<string, string>;
  message?: string;
  calls?: string[];
  place?: string;
  dies?: boolean;
}

/** Plays one turn that calls the tool. Returns the lines in the thought log that say that a tool was used. */
async function told(story: Story): Promise<{ notices: string[]; place: AppHarness }> {
  const { settings = ON, message = "what says fate?", calls = ["1d6"], place: channel, dies = false } = story;
  const place = createAppHarness({ bot: true, tools: [rollDice] });
  const triggers = JSON.stringify([{ tool: "roll_dice", kind: "phrase", text: "fate" }]);
  for (const [key, value] of Object.entries({ ...settings, deliberate_triggers: triggers }))
    place.channel.store.putSetting(key, value);
  if (channel) await place.discord.interact({ kind: "command", name: "chat", channel, as: theo, options: { message } });
  else await place.ask(theo, message);
  await place.pass(1000);
  place.channel.answer(calling(...calls));
  await place.pass(1000);
  if (dies) {
    place.channel.crash();
    await place.pass(8000);
  }
  place.channel.answer(WORDS);
  await place.pass(10_000);
  const posts = place.discord.log.filter(({ path, method }) => method === "POST" && path.endsWith("/messages"));
  const notices = JSON.stringify(posts.map(({ body }) => body)).match(/`roll_dice` was offered[^.]*\./g) ?? [];
  return { notices, place };
}

describe("a hidden trigger notice", () => {
  it("comes once per triggered call, with what exposed the tool, and never in the channel itself", async () => {
    const { notices, place } = await told({ calls: ["1d6", "2d6"] });
    expect(notices).toEqual([NOTICE, NOTICE]);
    expect(place.reads().join()).not.toContain("fate");
  });

  it("still comes once if the object dies between the call and the answer", async () => {
    expect((await told({ dies: true })).notices).toEqual([NOTICE]);
  });

  it("also comes for a call that failed, because the tool was used", async () => {
    expect((await told({ calls: ["no dice"] })).notices).toEqual([NOTICE]);
  });

  it.each<[string, Story]>([
    ["while the mode is inactive", { settings: { thought_log_channel: PLACES.thread } }],
    ["for a call that was blocked", { message: "hello" }],
    ["from a private channel", { settings: { ...ON, private: "true" } }],
    ["from a direct message", { place: PLACES.dmOfTheo }],
    ["into the channel of the turn itself", { settings: { ...ON, thought_log_channel: PLACES.general } }],
    ["if no one has chosen a channel for it", { settings: { deliberate: "on" } }],
  ])("does not come %s", async (_, story) => {
    const { notices, place } = await told(story);
    expect(notices).toEqual([]);
    expect(place.channel.store.state().lock.turnId).toBeNull();
  });
});
