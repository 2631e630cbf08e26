// Separates reasoning and details from the answer, however the stream is cut.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReasoningTagParser, type Separated } from "../../../src/core/transcript/reasoning-tags.ts";

function separate(pieces: string[]): Separated {
  const separator = createReasoningTagParser();
  const all = [...pieces.map((piece) => separator.push(piece)), separator.end()];
  return all.reduce(
    (before, { text, thought, details, wasThought, wasText = 0 }) => ({
      text: (wasThought ? "" : before.text) + text,
      thought: before.thought + (wasThought ? before.text : "") + thought,
      details: (before.details + details).slice(0, before.details.length + details.length - wasText),
    }),
    { text: "", thought: "", details: "" },
  );
}

describe("the reasoning tag parser", () => {
  it.each<[string, Separated]>([
    ["plain", { text: "plain", thought: "", details: "" }],
    ["<think>why</think>so", { text: "so", thought: "why", details: "" }],
    ["a<THINK>b</Think>c<thinking>d</thinking>e", { text: "ace", thought: "bd", details: "" }],
    ["<thought>**Why**\n\nSo.</thought>Yes.", { text: "Yes.", thought: "**Why**\n\nSo.", details: "" }],
    ["[THINK]why[/THINK]so", { text: "so", thought: "why", details: "" }],
    ["<mm:think>why</mm:think>so", { text: "so", thought: "why", details: "" }],
    ["<|channel>thought\nwhy\n<channel|>so", { text: "so", thought: "\nwhy\n", details: "" }],
    ["<|channel>thought\n<channel|>so", { text: "so", thought: "\n", details: "" }],
    ["why<channel|>so <channel|>", { text: "so <channel|>", thought: "why", details: "" }],
    ["<seed:think>why</seed:think>so", { text: "so", thought: "why", details: "" }],
    [
      "<|open|>think<|sep|>why<|close|>think<|sep|><|open|>response<|sep|>so<|close|>response<|sep|><|close|>message<|sep|>",
      { text: "so", thought: "why<|close|>think<|sep|><|close|>message<|sep|>", details: "" },
    ],
    ["<|open|>response<|sep|>so", { text: "so", thought: "", details: "" }],
    ["why</mm:think>so", { text: "so", thought: "why", details: "" }],
    ["why\n<channel|>so", { text: "so", thought: "why\n", details: "" }],
    ["why\n[/THINK]so", { text: "so", thought: "why\n", details: "" }],
    [
      "[Think](https://a.test) of [think] and `[THINK]`.",
      { text: "[Think](https://a.test) of [think] and `[THINK]`.", thought: "", details: "" },
    ],
    ["[THINK]a [/think] b[/THINK]c", { text: "c", thought: "a [/think] b", details: "" }],
    [
      "<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>final<|message|>so",
      { text: "so", thought: "why", details: "" },
    ],
    ["<|channel|>analysis<|message|>why<|end|>so", { text: "so", thought: "why", details: "" }],
    ["<|channel|>commentary<|message|>why<|end|>so", { text: "so", thought: "why", details: "" }],
    ["<|channel|>final<|message|>so", { text: "so", thought: "", details: "" }],
    [
      "<|channel|>analysis<|message|>why<|end|><|start|>assistant<|channel|>commentary to=functions.look<|message|>{}<|call|>",
      { text: "", thought: "why<|channel|>commentary to=functions.look<|message|>{}<|call|>", details: "" },
    ],
    [
      "The tokens <|end|>, `<|start|>assistant` and <|channel|> are of gpt-oss.",
      { text: "The tokens <|end|>, `<|start|>assistant` and <|channel|> are of gpt-oss.", thought: "", details: "" },
    ],
    ["a<details><summary>s</summary>b</details>c", { text: "ac", thought: "", details: "sb" }],
    ["never <think>closed", { text: "never ", thought: "closed", details: "" }],
    [
      "HTML has <Details> and <summary>for it",
      { text: "HTML has <Details> and <summary>for it", thought: "", details: "" },
    ],
    ["<details>a</details>b<details>c <think>d", { text: "b<details>c <think>d", thought: "", details: "a" }],
    ["1 < 2 and <b>bold</b> <thi", { text: "1 < 2 and <b>bold</b> <thi", thought: "", details: "" }],
    [
      "```html\n<details>code</details>\n```\n<think>x</think>",
      { text: "```html\n<details>code</details>\n```\n", thought: "x", details: "" },
    ],
    [
      "So the user asks.\n```js\n1\n```\nHm.\n</think>\n\nYes.",
      { text: "\n\nYes.", thought: "So the user asks.\n```js\n1\n```\nHm.\n", details: "" },
    ],
    ["</think>\n\nYes.\n</think>", { text: "\n\nYes.\n</think>", thought: "", details: "" }],
    ["The tag </think> ends it.", { text: "The tag </think> ends it.", thought: "", details: "" }],
    ["```\n</think>\n```", { text: "```\n</think>\n```", thought: "", details: "" }],
    ["<think>why</think>so\n</think>", { text: "so\n</think>", thought: "why", details: "" }],
    [
      "Use `<details>`, or `a <think> b`.\n<details>c</details>",
      { text: "Use `<details>`, or `a <think> b`.\n", thought: "", details: "c" },
    ],
    ["`a` <think>why</think>so", { text: "`a` so", thought: "why", details: "" }],
    ["A lone ` here\n<think>why</think>so", { text: "A lone ` here\nso", thought: "why", details: "" }],
    ["<think>it`s </think>so", { text: "so", thought: "it`s ", details: "" }],
    ["<think>``` </think>text", { text: "text", thought: "``` ", details: "" }],
  ])("separates %j", (whole, wanted) => {
    expect(separate([whole])).toEqual(wanted);
  });

  it("gives the same result however the answer is cut into pieces", () => {
    const token = fc.constantFrom(
      "<think>",
      "</think>",
      "<thought>",
      "</thought>",
      "[THINK]",
      "[/THINK]",
      "[think]",
      "<|channel>thought",
      "<channel|>",
      "<|channel|>",
      "analysis<|message|>",
      "final<|message|>",
      "<|start|>assistant",
      "<|end|>",
      "<details>",
      "</details>",
      "<summary>",
      "```",
      "`",
      "a",
      " ",
      "\n",
      "<",
      "</",
      "think",
      ">",
    );
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 20 }),
        fc.array(fc.nat(8), { minLength: 1, maxLength: 30 }),
        (tokens, sizes) => {
          const whole = tokens.join("");
          const pieces: string[] = [];
          for (let at = 0, index = 0; at < whole.length; index++) {
            const size = 1 + (sizes[index % sizes.length] ?? 0);
            pieces.push(whole.slice(at, at + size));
            at += size;
          }
          expect(separate(pieces)).toEqual(separate([whole]));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("loses no character of an answer without reasoning tags", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "<", "`", "``", "</thin", "\n"), { maxLength: 30 }), (pieces) => {
        expect(separate(pieces).text).toBe(pieces.join(""));
      }),
      { numRuns: 1000 },
    );
  });
});
