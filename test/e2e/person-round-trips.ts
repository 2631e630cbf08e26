// One round trip for each command by which people see, export, leave or delete what is stored about them, and read what is summarized.
import { expect } from "vitest";
import { unreadableText } from "../../src/core/copy/catch-up.ts";
import { changeText } from "../../src/core/copy/changes.ts";
import { compactionText, summaryHead } from "../../src/core/copy/compaction.ts";
import { helpText } from "../../src/core/copy/help.ts";
import { forgetQuestion, leftOutText } from "../../src/core/copy/privacy.ts";
import { timelineText } from "../../src/core/copy/timeline.ts";
import type { Act } from "../../src/playground/discord/acts.ts";
import { type E2eWorld, MIRA, requestTexts, until } from "../support/e2e-harness.ts";

/** What a round trip needs of a channel. `answer` is for a command that answers at once. */
interface Room {
  channel: { id: string };
  use(path: string, options?: Record<string, string>): Promise<unknown>;
  answer(path: string, options?: Record<string, string>): Promise<string>;
  ask(message: string, answer: string): Promise<string[]>;
  do(act: Extract<Act, { kind: "click" }>): Promise<unknown>;
  read(): string;
}

/** Asks, and waits until the turn is over for its object too, which learns of it from Discord a moment after everyone sees the last words. */
async function askToTheEnd(room: Room): Promise<void> {
  await room.ask("hi", "Hello.");
  await until("the turn's end", async () => (await room.answer("bot trace")).includes(timelineText.delivered));
}

/** The round trips by path. */
export const personRoundTrips = (world: () => E2eWorld): Record<string, (room: Room) => Promise<void>> => {
  const last = ({ channel }: Room) => world().discord.messages(channel.id, MIRA).at(-1);
  return {
    async help(room) {
      expect(await room.answer("help")).toBe(helpText);
    },

    async "catch-up"(room) {
      expect(await room.answer("catch-up")).toBe(unreadableText.no_token);
    },

    async "privacy show"(room) {
      await room.ask("hi", "Hello.");
      expect(await room.answer("privacy show")).toContain("1 question");
    },

    async "privacy export"(room) {
      await room.ask("hi", "Hello.");
      await room.use("privacy export");
      await until("the file", () => (last(room)?.attachments.length ?? 0) > 0);
      const exported = await fetch(last(room)?.attachments[0]?.url ?? "");
      expect(await exported.text()).toContain("Hello.");
    },

    async "privacy forget"(room) {
      await askToTheEnd(room);
      expect(await room.answer("privacy forget")).toBe(forgetQuestion("server"));
      await room.do({ kind: "click", messageId: last(room)?.id ?? "", customId: `forget:${MIRA}` });
      expect(room.read()).toContain("Forgot you in this channel: 2 messages, 0 memories, 0 reminders");
      await room.ask("again", "Who are you?");
      expect(requestTexts(world()).at(-1)).not.toContain("Hello.");
    },

    async "bot reset"(room) {
      await askToTheEnd(room);
      expect(await room.answer("bot reset")).toBe(changeText.reset(2));
    },

    async "privacy opt-out"(room) {
      expect(await room.answer("privacy opt-out", { state: "on" })).toBe(
        leftOutText({ op: "left_out", isLeftOut: true }, "server"),
      );
      expect(await room.answer("privacy opt-out", { state: "off" })).toBe(
        leftOutText({ op: "left_out", isLeftOut: false }, "server"),
      );
    },

    async "remember me"(room) {
      expect(await room.answer("remember me", { text: "Mira likes tea." })).toContain("Remembered as number 1.");
      await room.ask("what do I like?", "Tea.");
      expect(requestTexts(world()).join("\n")).toContain("Mira likes tea.");
    },

    async "bot summary"(room) {
      expect(await room.answer("bot summary")).toBe(summaryHead(null));
    },

    async "bot compact"(room) {
      expect(await room.answer("bot compact")).toBe(compactionText({ result: "nothing" }));
    },
  };
};
