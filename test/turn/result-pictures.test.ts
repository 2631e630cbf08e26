// Pictures in tool results: where a model sees them, and how many are kept.
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import { withResultPictures } from "../../src/turn/result-pictures.ts";

const SEES = {};
const answer = (...ids: string[]): Message => ({
  role: "assistant",
  text: "",
  calls: ids.map((id) => ({ id, name: "look", arguments: "{}" })),
});
const result = (callId: string): Message => ({ role: "tool", callId, text: "{}" });
const seen = (...images: string[]): Message => ({
  role: "user",
  text: "Pictures from the tool results above:",
  images,
});
const QUESTION: Message = { role: "user", text: "Theo: look" };

function stashWith(...kept: [string, string[]][]) {
  const stash = createContextStash(() => 0);
  for (const [callId, urls] of kept) stash.putPictures("t", callId, urls);
  return stash;
}

describe("pictures of results", () => {
  it("come in one message after all results of the answer that asked for them", () => {
    const stash = stashWith(["b", ["2"]], ["a", ["1"]]);
    const messages = [QUESTION, answer("a", "x", "b"), result("a"), result("x"), result("b"), answer("c"), result("c")];
    expect(withResultPictures(messages, "t", stash, SEES)).toEqual([
      ...messages.slice(0, 5),
      seen("1", "2"),
      ...messages.slice(5),
    ]);
  });

  it("stay with the newest result of an id that is used again", () => {
    const messages = [QUESTION, answer("a"), result("a"), answer("a"), result("a")];
    expect(withResultPictures(messages, "t", stashWith(["a", ["1"]]), SEES)).toEqual([...messages, seen("1")]);
  });

  it.each([
    ["the model sees none", "t", { images: false as const }],
    ["they are another turn's", "u", SEES],
  ])("are left out if %s", (_what, turnId, model) => {
    const messages = [QUESTION, answer("a"), result("a")];
    expect(withResultPictures(messages, turnId, stashWith(["a", ["1"]]), model)).toEqual(messages);
  });

  it("are kept for one turn, and only the newest of them within 16 MiB", () => {
    const stash = createContextStash(() => 0);
    const large = "x".repeat(6 * 2 ** 20);
    for (const id of ["a", "b", "c"]) stash.putPictures("t", id, [large]);
    expect([...stash.pictures("t").keys()]).toEqual(["b", "c"]);
    stash.putPictures("u", "d", ["1"]);
    expect([stash.pictures("t").size, stash.pictures("u").size]).toEqual([0, 1]);
  });

  it("are all kept at exactly 16 MiB, and those of the newest result however large they are", () => {
    const half = "x".repeat(8 * 2 ** 20);
    const keptOf = (...all: string[]) => {
      const stash = createContextStash(() => 0);
      for (const [id, url] of all.entries()) stash.putPictures("t", String(id), [url]);
      return [...stash.pictures("t").keys()];
    };
    expect([keptOf(half, half), keptOf(half, `${half}x`), keptOf(half.repeat(3))]).toEqual([["0", "1"], ["1"], ["0"]]);
  });
});
