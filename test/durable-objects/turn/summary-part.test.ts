// Which part of a stored conversation is summarized: whole turns, each call with its result, nothing twice and nothing missing between the
// summary and the window; and of tools only their names and outcomes.
import fc from "fast-check";
import { expect, it } from "vitest";
import { readPart } from "../../../durable-objects/turn/summary-part.ts";
import { createConversation } from "../../../durable-objects/turn/turn-conversation.ts";
import type { ChannelStore } from "../../../src/channel/store.ts";
import { nextSummary } from "../../../src/core/transcript/new-summary.ts";
import { summaryMessage } from "../../../src/core/transcript/summary-message.ts";
import { USUAL_WINDOW } from "../../../src/core/transcript/transcript.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { findFaults } from "../../support/scripted-model.ts";
import { row, testRequest, turnIn } from "../../support/store-contract.ts";

/** A turn: the words of its question, and how many tools each of its rounds calls. */
interface Spoken {
  words: number;
  rounds: number[];
}

function store(turns: readonly Spoken[]): ChannelStore {
  const made = memoryStore();
  turns.forEach(({ words, rounds }, at) => {
    const turnId = String(at + 1);
    made.insertTurn({ ...turnIn("finished", turnId), request: testRequest(turnId, String(10 + (at % 2))) });
    const speaker = { id: String(10 + (at % 2)), name: "Mira", number: 1 + (at % 2), at };
    const plain = { turnId, details: "", calls: [], native: null };
    made.addMessage({ ...plain, role: "user", text: `Q${turnId} ${"word ".repeat(words)}`, speaker });
    for (const [round, count] of rounds.entries()) {
      const calls = Array.from({ length: count }, (_, call) => ({ id: `c${call}`, name: "look", arguments: "{}" }));
      const seq = made.addMessage({ ...plain, role: "assistant", text: `A${turnId}.${round}`, calls });
      for (const position of calls.keys()) {
        const result = JSON.stringify({ ok: position % 2 === 0, status: "timeout", data: "FROM THE NETWORK" });
        made.putLedgerRow({ ...row(seq, position, result), turnId, tool: "look" });
      }
    }
    made.addMessage({ ...plain, role: "assistant", text: `End of ${turnId}.` });
  });
  return made;
}

/** What the next turn's request contains of earlier turns. */
function windowOf(of: ChannelStore) {
  of.insertTurn({ ...turnIn("running", "999"), request: testRequest("999") });
  return createConversation(of, "999")();
}

it("no cut separates a call from its result, and each turn is either in the summary or in the window", () => {
  const turn = fc.record({
    words: fc.integer({ min: 1, max: 3000 }),
    rounds: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 20_000 }), (turns, room) => {
      const of = store(turns);
      const part = readPart(of, USUAL_WINDOW, room);
      if (part) of.saveSummary(nextSummary(null, part, { text: "About: it.", model: "m", at: 1 }));
      const { earlier, summary } = windowOf(of);
      expect(findFaults(earlier)).toEqual([]);
      const summarized = turns.flatMap((_, at) =>
        part?.lines.some((line) => line.includes(`Q${at + 1} `)) ? [at] : [],
      );
      const shown = turns.flatMap((_, at) => (earlier.some(({ text }) => text.includes(`Q${at + 1} `)) ? [at] : []));
      expect([summary !== "", shown.length > 0]).toEqual([part !== null, true]);
      expect(shown).toEqual(turns.map((_, at) => at).slice(-shown.length));
      // A huge turn's lines may not all fit, but the first turn's question always does.
      if (part) expect([summarized[0], summarized.every((at) => !shown.includes(at))]).toEqual([0, true]);
      expect(earlier.filter(({ text }) => text.startsWith("End of ")).length).toBe(shown.length);
    }),
    { numRuns: 200 },
  );
});

it("ends before a parked turn, which is then in the window even if it is stopped without another word", () => {
  const of = store(Array.from({ length: 12 }, () => ({ words: 3, rounds: [] })));
  of.saveTurn({ ...turnIn("parked", "3"), request: testRequest("3", "10") });
  const part = readPart(of, USUAL_WINDOW, 9000);
  expect(part?.turnIds).toEqual(["1", "2"]);
  if (part) of.saveSummary(nextSummary(null, part, { text: "About: it.", model: "m", at: 1 }));
  of.saveTurn({ ...turnIn("finished", "3"), request: testRequest("3", "10") });
  expect(windowOf(of).earlier[0]?.text).toContain("Q3 ");
});

it("a summarizing model reads a tool's name and the outcome of the call, but nothing of its result", () => {
  const part = readPart(store(Array.from({ length: 8 }, () => ({ words: 3, rounds: [2] }))), USUAL_WINDOW, 9000);
  expect(part?.lines.slice(0, 3)).toEqual([
    "[Mira · u1] Q1 word word word",
    "[Parley · bot] (used tools: look: done, look: timeout) A1.0",
    "[Parley · bot] End of 1.",
  ]);
  expect(part).toMatchObject({ fromSeq: 1, toSeq: 6, messages: 6, users: ["10", "11"] });
  expect(JSON.stringify(part)).not.toContain("NETWORK");
});

it("a summarizing model reads the words of a voice note", () => {
  const of = store(Array.from({ length: 8 }, () => ({ words: 3, rounds: [] })));
  const speaker = { id: "10", name: "Mira", number: 1, at: 0 };
  const heard = [{ id: "1", name: "voice-message.ogg", text: "The train leaves at noon." }];
  const ask = (turnId: string, note: object) => {
    of.insertTurn({ ...turnIn("finished", turnId), request: { ...testRequest(turnId, "10"), heard, ...note } });
    const text = "[voice note: voice-message.ogg, 12 KB]";
    of.addMessage({ turnId, role: "user", text, details: "", calls: [], native: null, speaker });
  };
  ask("9", {});
  ask("10", { taint: "full" });
  for (let turn = 11; turn < 20; turn++) ask(String(turn), { heard: [] });
  const part = readPart(of, USUAL_WINDOW, 9000);
  expect(part?.lines.filter((line) => line.includes("voice note")).slice(0, 2)).toEqual([
    "[Mira · u1] [voice note: voice-message.ogg, 12 KB]\n\n[transcript of voice-message.ogg]\nThe train leaves at noon.\n[end of voice-message.ogg]",
    "[Mira · u1] [voice note: voice-message.ogg, 12 KB]",
  ]);
});

it("what does not fit into one request is left for the next", () => {
  const of = store(Array.from({ length: 10 }, () => ({ words: 900, rounds: [] })));
  const first = readPart(of, USUAL_WINDOW, 2500);
  expect(first?.toSeq).toBe(4);
  if (first) of.saveSummary(nextSummary(null, first, { text: "About: it.", model: "m", at: 1 }));
  expect(readPart(of, USUAL_WINDOW, 2500)).toMatchObject({ fromSeq: 5, toSeq: 8 });
});

it("as much as fits two windows is summarized, and anything older is left out", () => {
  const of = store(Array.from({ length: 65 }, () => ({ words: 3, rounds: [] })));
  expect(readPart(of, USUAL_WINDOW, 100_000)).toMatchObject({ fromSeq: 11, toSeq: 118 });
});

it("a summary of a turn that had read strangers' words weakly taints later requests", () => {
  const of = store(Array.from({ length: 8 }, () => ({ words: 3, rounds: [] })));
  const [asked] = of.messagesBefore("", 60, null);
  const turn = of.turn(asked?.turnId ?? "");
  if (turn) of.saveTurn({ ...turn, taint: "full" });
  const part = readPart(of, USUAL_WINDOW, 9000);
  if (part) of.saveSummary(nextSummary(null, part, { text: "About: it.", model: "m", at: 1 }));
  const { summary, isSummaryTainted } = windowOf(of);
  expect([isSummaryTainted, summaryMessage(summary, isSummaryTainted).taint]).toEqual([true, "weak"]);
});

it("lists an asker even if their own words were left out, because an answer may repeat them", () => {
  const of = store(Array.from({ length: 9 }, () => ({ words: 3, rounds: [] })));
  of.saveTurn({ ...turnIn("finished", "1"), request: testRequest("1", "77") });
  expect(readPart(of, USUAL_WINDOW, 9000)?.users.toSorted()).toEqual(["10", "11", "77"]);
});
