// What a model sees of its own call if the arguments were not quite JSON.
import { expect, it } from "vitest";
import { requestBody } from "../../src/model/request-body.ts";
import { createTurnHarness } from "../support/turn-harness.ts";
import { calls, says, tool } from "../support/turn-script.ts";

const note = tool("note", (_, { note }) => ({ ok: true, data: note ?? "nothing" }));
const write = tool("write", (_, { note }) => ({ ok: true, data: note ?? "nothing" }), {
  category: "async",
  hints: { readOnly: false, idempotent: true, destructive: false, openWorld: false },
});

/** The arguments of the only answer with calls, in a request. */
function argumentsIn(request: Parameters<typeof requestBody>[1] | undefined): unknown[] {
  const { messages } = requestBody("m", request ?? { system: "", messages: [], tools: [] });
  return messages.flatMap(({ tool_calls: made = [] }) => made.map((call) => call.function.arguments));
}

it.each([
  ["a read", note],
  ["an effect", write],
])("shows what was read of the arguments, for %s, and stores it too", async (_, one) => {
  const world = createTurnHarness({
    models: [[calls([one.name, "{note: 'milk',}"], ["note", { note: "eggs" }]), calls("note"), says("Done.")]],
    tools: [note, write],
  });
  const { ending } = await world.end();
  expect(ending).toEqual({ kind: "completed" });
  expect(argumentsIn(world.requests[1])).toEqual(['{"note":"milk"}', '{"note":"eggs"}']);
  const [answer] = world.channel.messagesInTurn("t1").filter(({ role }) => role === "assistant");
  expect(answer?.calls.map((call) => call?.arguments)).toEqual(['{"note":"milk"}', '{"note":"eggs"}']);
  const results = world.requests[1]?.messages.filter(({ role }) => role === "tool").map(({ text }) => text);
  expect(results?.[0]).toContain("milk");
  expect(results?.[0]).not.toContain("readAs");
});

it("shows what was read of the arguments if they are wrong, and nothing if they can't be read", async () => {
  const world = createTurnHarness({
    models: [[calls(["note", "{note: ['milk'],}"], ["note", "milk"], ["note", '{"note": "mi']), says("Done.")]],
    tools: [note],
  });
  await world.end();
  expect(argumentsIn(world.requests[1])).toEqual(['{"note":["milk"]}', "{}", "{}"]);
});
