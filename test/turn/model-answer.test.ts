// A step's answer as it is stored.
import { describe, expect, it } from "vitest";
import { buildAnswer } from "../../src/turn/model-answer.ts";

const call = { at: 0, model: "m", ms: 7, firstMs: null, outcome: null, usage: null, contents: null };
const heard = {
  accumulatedText: "Here.",
  thoughtLog: "",
  hasBegun: true,
  usage: null,
  native: null,
  status: "completed",
} as const;
const files = ["a.png", "b.png"].map((name) => ({ name, type: "image/png", data: new Uint8Array() }));

describe("an answer", () => {
  it.each([
    ["", "You attached a.png, b.png."],
    ["Drawn.", "Drawn.\nYou attached a.png, b.png."],
  ])("with files names them after its details %j", (detailsContent, details) => {
    const answer = buildAnswer({ ...heard, detailsContent, finishReason: "stop", files }, null, call);
    expect(answer).toMatchObject({ text: "Here.", details, durationMs: 7 });
  });

  it("without files has only its details, and took no time if none was measured", () => {
    const answer = buildAnswer({ ...heard, detailsContent: "Thought.", finishReason: "stop" }, null, {
      ...call,
      ms: null,
    });
    expect(answer).toMatchObject({ details: "Thought.", durationMs: 0 });
  });
});
