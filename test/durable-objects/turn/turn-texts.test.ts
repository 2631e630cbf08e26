// A turn's stored texts: the question of each turn of a scene, and what of a visible text is not stored yet.
import { expect, it } from "vitest";
import { buildQuestion, unstoredText } from "../../../durable-objects/turn/turn-texts.ts";
import { cueText } from "../../../src/core/state/scene.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { turnIn } from "../../support/store-contract.ts";

it("the first turn of a scene has the person's words, and each later one its cue", () => {
  const turn = turnIn("running", "1");
  const scene = { id: "1", names: ["Ada", "Bo"], token: "token", webhookChannelId: null };
  const question = (index: number) =>
    buildQuestion(memoryStore(), { ...turn, request: { ...turn.request, scene: { ...scene, index } } }, "1").text;
  expect([question(0), question(1)]).toEqual([turn.request.text, cueText("")]);
});

it.each([
  ["Hello.", "", "Hello."],
  ["\n\nHello.", "", "\n\nHello."],
  ["Hello.\n\nAnd now", "Hello.", "And now"],
  ["Hello. And", "Hello.", " And"],
  ["Hello.", "Hello.", ""],
  ["Hello.", "Good day.", ""],
])("of %j, where %j is stored, %j is not", (text, stored, rest) => {
  expect(unstoredText(text, stored)).toBe(rest);
});
