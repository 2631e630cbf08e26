// What a soak's verdict relies on: it finds what is lost or doubled, and accepts what is allowed.
import { describe, expect, it } from "vitest";
import { answerTo, endOf, type Question, questionOf, stepOf } from "./plan.ts";
import { type Asked, bytesPerTurn, judge, type Said } from "./verdict.ts";

const SEED = 5;
const question: Question = { number: 7, channel: 0, person: 1, stopAfterMs: null, tool: null, characters: 100 };
const asked: Asked = { question, isAccepted: true, isWhole: true };
const said = (text: string, more: Partial<Said> = {}): Said => ({ channel: 0, text, files: [], isOver: true, ...more });
const judged = (one: Asked, ...messages: Said[]) => {
  const [reply] = messages;
  return judge([one], messages, new Map(reply ? [[7, reply]] : []), []);
};

describe("the verdict of a soak", () => {
  it("accepts a whole answer, even over two messages or in a file", () => {
    const whole = answerTo(question);
    expect(judged(asked, said(whole))).toEqual([]);
    expect(judged(asked, said(whole.slice(0, 50)), said(whole.slice(50)))).toEqual([]);
    expect(judged(asked, said(whole.slice(0, 50), { files: [whole] }))).toEqual([]);
  });

  it("finds an incomplete answer and a missing reply", () => {
    expect(judged(asked, said(answerTo(question).slice(0, 50)))).toEqual([
      expect.stringMatching(/^lost: the answer to/),
    ]);
    expect(judged(asked)).toEqual(["lost: question 7 has no reply"]);
    const whole = answerTo(question);
    const withoutMiddle = whole.replace("The sea was calm that day, ", "");
    for (const text of [whole.slice(50), withoutMiddle])
      expect(judged(asked, said(text))).toEqual([expect.stringMatching(/^lost: the answer to/)]);
    expect(judged(asked, said("Answer", { files: [whole.slice(50)] }))).toEqual([expect.stringMatching(/^lost: /)]);
  });

  it("asks no whole answer where the model failed or somebody stopped it, and none where Discord heard nothing", () => {
    expect(judged({ ...asked, isWhole: false }, said("The model is not well."))).toEqual([]);
    expect(judged({ ...asked, isAccepted: false })).toEqual([]);
  });

  it("finds an end that was posted twice, a message that never ended, and an effect that came twice", () => {
    const whole = answerTo(question);
    expect(judged(asked, said(whole), said(endOf(7)))).toEqual([expect.stringMatching(/^doubled: .*ends\./)]);
    expect(judged(asked, said(whole, { isOver: false }))).toEqual([expect.stringMatching(/^unfinished: /)]);
    expect(judge([], [], new Map(), ["count a", "read b", "count a", "read b"])).toEqual([
      "doubled: the effect count a came 2 times",
    ]);
  });
});

describe("the growth of memory", () => {
  it("is the slope within each life, however much memory the lives begin with", () => {
    const life = (number: number, from: number) =>
      [0, 10, 20].map((turns) => ({ life: number, turns, bytes: from + 3 * turns }));
    expect(bytesPerTurn([...life(1, 1000), ...life(2, 50)])).toBe(3);
    expect(bytesPerTurn([{ life: 1, turns: 4, bytes: 10 }])).toBe(0);
  });
});

describe("the plan of a soak", () => {
  it("is the same for the same seed, and different for another", () => {
    const questions = (seed: number) => Array.from({ length: 50 }, (_, number) => questionOf(seed, number, 20));
    expect(questions(SEED)).toEqual(questions(SEED));
    expect(questions(SEED)).not.toEqual(questions(SEED + 1));
  });

  it("answers with the tool first, and then with the whole text in pieces", () => {
    const first = stepOf(SEED, { ...question, tool: "count" }, 0, false).step;
    expect(first).toEqual({ chunks: [{ call: { name: "count", arguments: {} } }] });
    const { chunks = [] } = stepOf(SEED, { ...question, tool: "count" }, 1, true).step;
    expect(chunks.map((part) => ("text" in part ? part.text : "")).join("")).toBe(answerTo(question));
  });
});
