// What people read about what is stored about them, and when they ask to be left out.
import { expect, it } from "vitest";
import type { KeptHere, OwnFact } from "../../../src/core/access/person-rpc.ts";
import { exportText, type ForgetReach, forgottenText, keptText, leftOutText } from "../../../src/core/copy/privacy.ts";

it.each([
  ["server", "in this server"],
  ["outside", "outside servers"],
] as const)("the answer to /privacy opt-out says where it applies: %s", (reach, where) => {
  for (const isLeftOut of [true, false])
    expect(leftOutText({ op: "left_out", isLeftOut }, reach)).toContain(`within a minute everywhere ${where}`);
  expect(leftOutText({ op: "full", limit: 9 }, reach)).toContain(`${where} is full (9)`);
});

it("the answer to /privacy forget says what stays: words in other people's questions, and who set the thought log", () => {
  const forgotten = forgottenText({ messages: 1, memories: 0, reminders: 0 }, { channels: 0, left: 0 }, "server");
  expect(forgotten).toContain("What other people asked, and my answers to them, may mention or quote you.");
  expect(forgotten).toContain("your id where you set the thought log");
});

const NOTHING = { questions: 0, messages: 0, memories: 0, reminders: 0, keepDays: 30 };
const shown = (kept: KeptHere, facts: OwnFact[] = [], reach: ForgetReach = "server") =>
  keptText(kept, { op: "about", otherChannels: 1, isLeftOut: false, facts }, { reach, modelHosts: ["localhost"] });

it.each([
  ["server", "of this server"],
  ["outside", "outside servers"],
] as const)("says where else something may be stored: %s", (reach, where) => {
  expect(shown(NOTHING, [], reach)).toContain(`- Elsewhere: 1 other channel ${where} where you used me`);
});

it.each([
  [undefined, []],
  [null, ["- No summary of the earlier conversation here contains any of your words."]],
  [
    { messages: 1, at: 1_999_999 },
    [
      "- Some of your words are in the summary that I read here instead of 1 earlier message, written <t:1999:R>. `/bot summary` shows it; `/privacy forget` deletes it.",
    ],
  ],
])("says whether a summary contains the person's words, if a search for them was made: %j", (summary, told) => {
  const lines = shown({ ...NOTHING, ...(summary !== undefined && { summary }) }).split("\n");
  expect(lines.filter((line) => line.includes("your words"))).toEqual(told);
});

const facts = (count: number): OwnFact[] =>
  Array.from({ length: count }, (_, at) => ({ number: at + 1, text: `fact\n${at + 1}`, at: 0 }));

it.each([
  [0, []],
  [1, ["- Facts about you, for your own questions: 1. fact 1"]],
  [5, [`- Facts about you, for your own questions: 1. fact 1 · 2. fact 2 · 3. fact 3 · 4. fact 4 · 5. fact 5`]],
  [
    7,
    [
      `- Facts about you, for your own questions: 3. fact 3 · 4. fact 4 · 5. fact 5 · 6. fact 6 · 7. fact 7 (and 2 more)`,
    ],
  ],
])("of %i facts about a person, shows the newest five", (count, told) => {
  const lines = shown(NOTHING, facts(count)).split("\n");
  expect(lines.filter((line) => line.startsWith("- Facts about you"))).toEqual(told);
});

it.each([
  [3, 0, []],
  [1, 1, ["1 conversation is not in it:"]],
  [1, 2, ["2 conversations are not in it:"]],
])("a file of %i conversations says that %i are missing", (conversations, unread, told) => {
  const [head, ...rest] = exportText(conversations, unread).split("\n");
  expect(head).toContain(`from ${conversations} conversation${conversations === 1 ? "" : "s"}.`);
  expect(rest.map((line) => `${line.split(":")[0]}:`)).toEqual(told);
});
