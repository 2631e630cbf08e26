// Deliberate mode and quotes in a question: only the asker's own words ask for tools.
import { expect, it } from "vitest";
import { withQuotes } from "../../../durable-objects/hearing/question-words.ts";
import { repliedToText } from "../../../src/core/copy/quotes.ts";
import { ASKING } from "../../../src/core/deliberate/asking-words.ts";
import { dueReminder } from "../../../src/core/state/reminder-turn.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { said, testRequest, turnIn } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const QUOTED = repliedToText([{ author: "Parley", text: "You can ask me for alpha." }]);

/** Returns what the first request of each question offers, in a channel with the mode on. */
async function offered(...questions: { words: string; quoted?: string }[]): Promise<(string[] | undefined)[]> {
  const alpha = tool("alpha", () => ({ ok: true, data: 1 }), { triggers: { phrases: ["alpha"] } });
  const channel = createChannelHarness({ tools: [alpha] });
  channel.deliberate({ interactionId: "1", userId: "7", change: { what: "mode", on: true } });
  for (const [index, { words, quoted = "" }] of questions.entries()) {
    const request = { ...testRequest(String(100 + index)), receivedAt: channel.clock.now() };
    channel.submit({ trigger: { ...request, ...withQuotes(words, quoted) } });
    await channel.clock.advance(1);
    channel.answer([text("Well."), end()]);
    await channel.clock.advance(10_000);
  }
  return channel.requests.map(({ tools }) => tools.map(({ name }) => name));
}

it("a message that someone replies to asks for no tool", async () => {
  expect(await offered({ words: "thanks", quoted: QUOTED }, { words: "alpha then", quoted: QUOTED })).toEqual([
    [],
    ["alpha"],
  ]);
});

it("a due reminder asks for what its person wrote; our words around it ask for nothing", async () => {
  const triggered = (name: string, pattern: string) =>
    tool(name, () => ({ ok: true, data: 1 }), { triggers: { patterns: [pattern] } });
  const tools = [triggered("look_up", `${ASKING}search for `), triggered("remind", "reminder that|\\bdo it now")];
  const channel = createChannelHarness({ tools });
  channel.deliberate({ interactionId: "1", userId: "10", change: { what: "mode", on: true } });
  const now = channel.clock.now();
  const due = { number: 1, userId: "10", text: "search for news about bread", dueAt: now, setAt: now };
  channel.submit({ trigger: dueReminder(due, testRequest("1"), now) });
  await channel.clock.advance(1);
  expect(channel.requests[0]?.tools.map(({ name }) => name)).toEqual(["look_up"]);
});

it("words in different paragraphs are not matched together", async () => {
  expect(await offered({ words: "give me alpha\n\nplease" })).toEqual([["alpha"]]);
});

it("a reply can ask for the last tool again with a single word", async () => {
  const reply = { words: "again", quoted: repliedToText([{ author: "Parley", text: "Well." }]) };
  expect(await offered({ words: "alpha" }, reply)).toEqual([["alpha"], ["alpha"]]);
});

it("a follow-up reaches the words of an older program's question, which begins with a name", async () => {
  const alpha = tool("alpha", () => ({ ok: true, data: 1 }), { triggers: { patterns: ["^alpha"] } });
  const channel = createChannelHarness({ tools: [alpha] });
  channel.deliberate({ interactionId: "1", userId: "7", change: { what: "mode", on: true } });
  channel.store.insertTurn(turnIn("finished", "100"));
  channel.store.addMessage({ ...said("100", "Ben: alpha, please"), role: "user" });
  channel.submit({ trigger: { ...testRequest("101"), text: "do that again", receivedAt: channel.clock.now() } });
  await channel.clock.advance(1);
  expect(channel.requests[0]?.tools.map(({ name }) => name)).toEqual(["alpha"]);
});
