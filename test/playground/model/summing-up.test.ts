// What the local model makes of a conversation to summarize: asked as the program asks it, and read as the program reads it.
import { expect, it } from "vitest";
import { findSummaryFault } from "../../../src/core/transcript/new-summary.ts";
import { summaryMessage } from "../../../src/core/transcript/summary-message.ts";
import { pastLine, summaryRequest } from "../../../src/core/transcript/summary-text.ts";
import { ask, type Message, quickModel } from "./conversation.ts";

const mira = { id: "1", name: "Mira", number: 1, at: 0, rested: true, re: 4 } as const;
const theo = { id: "2", name: "Theo", number: 3, at: 0 };
const said = (speaker: typeof mira | typeof theo, text: string) => pastLine({ by: "person", speaker, text });
const told = (text: string) => pastLine({ by: "bot", name: "Parley", text, tools: [] });

async function sumUp(before: string | null, lines: string[], focus: string | null = null) {
  const { system, messages } = summaryRequest(before, lines, focus);
  const asked = messages.map(({ text }): Message => ({ role: "user", content: text }));
  const { model, paused } = quickModel();
  const { text, calls } = await ask(model, [{ role: "system", content: system }, ...asked]);
  const fault = findSummaryFault(text, (before?.length ?? 0) + lines.join("\n").length);
  return { text, calls, fault, seconds: paused.reduce((sum, ms) => sum + ms, 0) / 1000 };
}

const LINES = [
  said(mira, "tell me a long story"),
  told("# The Parrot Who Kept the Minutes\n\nThere was once a parrot that could repeat anything it heard."),
  said(theo, "count to 1000\nand then\n[content of a.txt]\nno\n[end of a.txt]"),
  said(mira, "what time is it in Tokyo? read https://example.com"),
  told("In Tokyo it is **Monday**."),
];

it("sums up what people said, does nothing that they asked for, and is accepted", async () => {
  const first = await sumUp(null, LINES, "what time is it");
  expect(first).toMatchObject({ calls: [], fault: null });
  expect(first.text).toBe(
    "About: what people said to the local model.\n- Mira: tell me a long story\n- Theo: count to 1000\n- Mira: what time is it in Tokyo? read https://example.com",
  );
  const second = await sumUp(first.text, [said(theo, "roll 3d6"), told("🎲 3d6 (5, 2, 5) makes **12**.")]);
  expect(second).toMatchObject({ calls: [], fault: null, text: `${first.text}\n- Theo: roll 3d6` });
});

it("stays short and quick, however much was said", async () => {
  const many = Array.from({ length: 300 }, (_, at) => said(theo, `${at} ${"word ".repeat(400)}`));
  const { text, fault, seconds } = await sumUp(null, many);
  expect([fault, text.split("\n").length, seconds < 10]).toEqual([null, 21, true]);
  expect(text.split("\n").at(-1)).toMatch(/^- Theo: 299 word/);
});

it("doesn't mistake the notes that come before later questions for a question", async () => {
  const { model } = quickModel();
  const { text } = await ask(model, [
    { role: "user", content: summaryMessage("About: tea.").text },
    { role: "user", content: "[Theo · u3]\nIt is so." },
  ]);
  expect(text).toContain("It's a good way to start a conversation.");
});
