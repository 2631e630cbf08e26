// What a request contains of the conversation: its window if the model's size is known, the summary before it, and the note about both.
import { describe, expect, it } from "vitest";
import { TRANSCRIPT_SHARE } from "../../src/core/limits.ts";
import { newTurn, type TurnRequest } from "../../src/core/state/record.ts";
import { summaryMessage } from "../../src/core/transcript/summary-message.ts";
import { tokensOfAll, USUAL_WINDOW } from "../../src/core/transcript/transcript.ts";
import { windowOf } from "../../src/turn/prompt.ts";
import { createTurnHarness, type ModelScript, type TurnWorld } from "../support/turn-harness.ts";
import { calls, fails, type Pass, says, tool } from "../support/turn-script.ts";

/** A turn with one request to a model of this size. */
function turnWith(
  contextTokens: number,
  {
    request = {},
    files = "",
    steps = [says("Done.")],
  }: { request?: Partial<TurnRequest>; files?: string; steps?: Pass[] } = {},
) {
  const script: ModelScript = Object.assign(steps, { contextTokens });
  const attachments = {
    imageUrl: () => null,
    readText: async () => ({ ok: true, text: files, bytes: files.length }) as const,
  };
  return createTurnHarness({ models: [script], request, attachments });
}

/** An earlier turn, asked in these words; returns the number of its question. */
function hasAsked(w: TurnWorld, id: string, text: string): number {
  const request = { ...w.turn().request, interactionId: id };
  w.channel.insertTurn({ ...newTurn(request, "finished", 0, request.receivedAt), endedAt: request.receivedAt });
  return w.channel.addMessage({ turnId: id, role: "user", text, details: "", calls: [], native: null });
}

const summarize = (w: TurnWorld, text: string) =>
  w.channel.saveSummary({ text, fromSeq: 0, toSeq: 0, messages: 1, users: [], model: "m", tokens: 1, at: 0 });

const FILE = {
  id: "1",
  filename: "a.txt",
  contentType: "text/plain",
  size: 200,
  url: "https://a",
  proxyUrl: "https://b",
};

async function requestOf(w: TurnWorld) {
  await w.end();
  const { messages = [], contents } = w.requests[0] ?? {};
  return { texts: messages.map(({ text }) => text), contents };
}

/** Words with this many tokens. */
const tokens = (count: number) => "word".repeat(count);
/** The number of tokens in the question of every turn here. */
const QUESTION = tokensOfAll([{ role: "user", text: "Theo: go" }]);
/** The size of a model whose window has this many tokens. */
const sizeFor = (window: number) => Math.ceil(window / TRANSCRIPT_SHARE);

it("a model's window is a share of its size, or the usual window if the size is unknown", () => {
  expect(windowOf({ contextTokens: 1001 })).toEqual({ ...USUAL_WINDOW, tokens: 600 });
  expect(windowOf({})).toEqual(USUAL_WINDOW);
});

describe("a request notes", () => {
  it("no history if there is none", async () => {
    const { contents } = await requestOf(turnWith(1000));
    expect(contents).toMatchObject({ fromSeq: null, leftOutRows: 0, hasSummary: false });
  });

  it("where the history begins, and that nothing is left out", async () => {
    const w = turnWith(1000);
    const first = hasAsked(w, "e1", "One?");
    hasAsked(w, "e2", "Two?");
    const { texts, contents } = await requestOf(w);
    expect(texts).toEqual(["One?", "Two?", "Theo: go"]);
    expect(contents).toMatchObject({ fromSeq: first, leftOutRows: 0 });
  });

  it("how many messages the window left out", async () => {
    const w = turnWith(sizeFor(QUESTION + 100));
    hasAsked(w, "e1", tokens(100));
    const second = hasAsked(w, "e2", tokens(90));
    const { texts, contents } = await requestOf(w);
    expect(texts).toHaveLength(2);
    expect(contents).toMatchObject({ fromSeq: second, leftOutRows: 1 });
  });

  it("that all of the history was left out", async () => {
    const w = turnWith(sizeFor(QUESTION + 50));
    hasAsked(w, "e1", tokens(100));
    hasAsked(w, "e2", tokens(100));
    const { texts, contents } = await requestOf(w);
    expect(texts).toEqual(["Theo: go"]);
    expect(contents).toMatchObject({ fromSeq: null, leftOutRows: 2 });
  });

  it("that older calls of the turn itself were left out, and where the rest begins", async () => {
    const look = tool("look", () => ({ ok: true, data: "seen" }));
    const looks = Array.from({ length: 5 }, (_, at) => calls(["look", { note: `${at} ${tokens(60)}` }]));
    const models = [Object.assign([...looks, says("Done.")], { contextTokens: sizeFor(QUESTION + 250) })];
    const w = createTurnHarness({ models, tools: [look], surface: false });
    hasAsked(w, "e1", "Before?");
    await w.end();
    const own = w.channel.messagesInTurn(w.turn().id).filter(({ role }) => role === "assistant");
    const noted = w.requests.map(({ messages, contents }) => ({
      kept: messages.filter(({ role }) => role === "assistant").length,
      fromSeq: contents?.fromSeq,
      leftOut: contents?.leftOutRows,
    }));
    const kept = noted.at(-1)?.kept ?? 0;
    expect(kept).toBeLessThan(looks.length);
    expect(noted.at(-1)).toEqual({
      kept,
      fromSeq: own[looks.length - kept]?.seq,
      leftOut: 1 + 2 * (looks.length - kept),
    });
  });
});

describe("a window of a known size", () => {
  it.each([
    [100, 2],
    [101, 1],
  ])("that has 100 tokens left takes %i tokens of history: %i messages", async (history, messages) => {
    const w = turnWith(sizeFor(QUESTION + 100));
    hasAsked(w, "e1", tokens(history));
    expect((await requestOf(w)).texts).toHaveLength(messages);
  });

  it("has less room for the history if a file comes with the question", async () => {
    const w = turnWith(sizeFor(QUESTION + 100), { request: { attachments: [FILE] }, files: tokens(50) });
    hasAsked(w, "e1", tokens(51));
    expect((await requestOf(w)).contents).toMatchObject({ leftOutRows: 1 });
  });
});

it("a request that was too long is sent again without its history if a file is the larger half of it", async () => {
  const steps = [fails("context_too_long"), says("Done.")];
  const w = turnWith(sizeFor(1000), { request: { attachments: [FILE] }, files: tokens(400), steps });
  hasAsked(w, "e1", tokens(300));
  expect(await w.end()).toMatchObject({ ending: { kind: "completed" } });
  expect(w.requests.map(({ messages }) => messages.length)).toEqual([2, 1]);
});

describe("a summary", () => {
  const size = tokensOfAll([summaryMessage("They talked.")]);

  it.each([
    [2 * size, true],
    [2 * size - 1, false],
  ])("of at most half of the window's tokens is in the request, with %i: %s", async (window, isIn) => {
    const w = turnWith(sizeFor(window));
    summarize(w, "They talked.");
    const { texts, contents } = await requestOf(w);
    expect([texts.length, contents?.hasSummary]).toEqual([isIn ? 2 : 1, isIn]);
  });

  it.each([
    [0, 0],
    [1, 1],
  ])("leaves the history less of the window: with %i tokens too many, %i messages are left out", async (over, rows) => {
    const w = turnWith(sizeFor(3 * size));
    summarize(w, "They talked.");
    hasAsked(w, "e1", tokens(2 * size - QUESTION + over));
    expect((await requestOf(w)).contents).toMatchObject({ hasSummary: true, leftOutRows: rows });
  });
});

it("the last request of a model with native calls ends with a message of its own, even after a person's words", async () => {
  const item = { text: "The avatar", images: [] };
  const peek = tool("peek", () => ({ ok: true, data: { type: "context_restart_image", enhanced_context_item: item } }));
  const w = createTurnHarness({
    models: [[calls("peek"), says("Best.")]],
    tools: [peek],
    limits: { maxIterations: 2 },
  });
  await w.end();
  expect(w.requests[1]?.messages.map(({ text }) => text)).toEqual([
    "Theo: go",
    "The avatar",
    expect.stringMatching(/^You have used all the steps/),
  ]);
});
