// What the bot prints on a laptop: its connection, and how turns ended.
import { expect, it } from "vitest";
import { laptopStatusText, turnLine } from "../../../src/core/copy/laptop.ts";

it("a refused connection says why, in plain text", () => {
  expect(laptopStatusText("connected")).toBe("Connected to Discord.");
  expect(laptopStatusText({ refused: "bad_token" })).toBe(
    "Discord doesn't know the bot's token (4004). Set DISCORD_BOT_TOKEN to the current one.",
  );
});

it("a connection without its intent asks for another start here, not for a deploy", () => {
  const sentence = laptopStatusText({ refused: "disallowed_intents" });
  expect(sentence).toMatch(/switch Message Content on\. Then start it again\.$/);
});

it.each([
  ["completed", 9949, "answered after 9.9 s, in channel 14"],
  ["completed", 9999, "answered after 10.0 s, in channel 14"],
  ["completed", 10_000, "answered after 10 s, in channel 14"],
  ["error", 90_000, "failed (model silent) after 2 min, in channel 14"],
])("a turn is one line: %s after %i ms", (status, ms, line) => {
  expect(turnLine({ status, ending: "model_silent", ms, channelId: "14" })).toBe(line);
});
