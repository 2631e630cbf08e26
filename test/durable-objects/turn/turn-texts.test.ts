// A turn's stored texts: the question of each turn of a scene, and the part of a visible text that is not stored yet.
import { expect, it } from "vitest";
import { buildQuestion, buildQuestions, unstoredText } from "../../../durable-objects/turn/turn-texts.ts";
import { cueText } from "../../../src/core/state/scene.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { createMessageHarness } from "../../support/message-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { said, testRequest, turnIn } from "../../support/store-contract.ts";
import { end, text as says, tool } from "../../support/turn-script.ts";

it("the first turn of a scene has the person's words, and each later one its cue", () => {
  const turn = turnIn("running", "1");
  const scene = { id: "1", names: ["Ada", "Bo"], token: "token", webhookChannelId: null };
  const question = (index: number) =>
    buildQuestion(memoryStore(), { ...turn, request: { ...turn.request, scene: { ...scene, index } } }, "1").text;
  expect([question(0), question(1)]).toEqual([turn.request.text, cueText("")]);
});

it("the words of a scene are there once, even if its first turn ended without an answer", () => {
  const store = memoryStore();
  const scene = { id: "1", names: ["Ada", "Bo"], token: "token", webhookChannelId: null };
  const turn = (index: number) => {
    const one = turnIn("finished", String(index + 1));
    return { ...one, request: { ...one.request, scene: { ...scene, index } } };
  };
  store.insertTurn(turn(0));
  store.addMessage({ ...said("1", "Hello?"), role: "user", speaker: { id: "10", name: "Theo", number: 1, at: 0 } });
  expect(buildQuestions(store, turn(1)).map(({ text }) => text)).toEqual([cueText("")]);
});

it("a speaker gets the words of a scene again if another turn has spoken since, which would otherwise be the newest question", () => {
  const store = memoryStore();
  const scene = { id: "1", names: ["Ada", "Bo"], token: "token", webhookChannelId: null };
  const turn = (id: string, index: number) => {
    const one = turnIn("finished", id);
    return { ...one, request: { ...one.request, scene: { ...scene, index } } };
  };
  store.insertTurn(turn("1", 0));
  store.insertTurn(turnIn("finished", "9"));
  store.addMessage({ ...said("1", "Hello?"), role: "user", speaker: { id: "10", name: "Theo", number: 1, at: 0 } });
  store.addMessage(said("1", "Hello."));
  const bo = turn("1.1", 1);
  expect(buildQuestions(store, bo).map(({ text }) => text)).toEqual([cueText("")]);
  store.addMessage(said("9", "The report that somebody has approved."));
  expect(buildQuestions(store, bo).map(({ text }) => text)).toEqual([bo.request.text, cueText("")]);
});

it("each speaker gets the words of a scene, even if earlier speakers have said so much that these words would be out of sight", async () => {
  const lines = "lorem ipsum ".repeat(3000);
  const { world, use } = await createMessageHarness({ answerTo: () => ({ texts: [lines] }) });
  for (const name of ["Ada", "Bo"]) await use(PEOPLE.juno, "persona create", { name, prompt: "Speak." });
  await use(PEOPLE.juno, "scene", { personas: "Ada,Bo,Ada", prompt: "What about the ferry?" });
  while (await world.step(Number.POSITIVE_INFINITY));
  const speaking = world.requests.filter(({ system }) => system.includes("You speak as"));
  const told = speaking.map(({ messages }) => messages.some(({ text }) => text.includes("about the ferry?")));
  expect(told).toEqual([true, true, true]);
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

it.each([
  ["half a character", "Looking\ud83d up.", "Looking\ufffd up.\n\n"],
  ["nothing that anyone sees", "\u200b", ""],
])("an answer whose first step has %s is shown and stored whole, even while someone waits", async (_, first, shown) => {
  const c = createChannelHarness({
    database: nodeSqlite(),
    tools: [tool("note", async () => ({ ok: true, data: 1 }))],
  });
  const submit = (id: string, userId: string) =>
    c.submit({ trigger: { ...testRequest(id, userId), receivedAt: c.clock.now() } });
  submit("1", "10");
  await c.clock.advance(10);
  c.answer([says(first), end([["note", {}]])]);
  await c.clock.advance(10);
  // Showing the place in the queue reads another turn's messages.
  submit("2", "20");
  await c.clock.advance(5000);
  c.answer([says("It is noon."), end()]);
  await c.clock.advance(5000);
  expect(c.shown().get("token-1")).toBe(`${shown}It is noon.`);
  expect(c.store.messagesInTurn("1").map(({ text }) => text)).toEqual(["text of 1", shown.trimEnd(), "It is noon."]);
});
