// Reasoning that a provider wants back with its calls is stored with them, so a life that takes the turn over sends it too.
import { expect, it } from "vitest";
import { createOpenAiModel } from "../../../src/model/openai.ts";
import { requestBody } from "../../../src/model/request-body.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { callPiece, piece, sse } from "../../model/fixtures/stream.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { tool } from "../../support/turn-script.ts";

/** The events of a thinking model's first step: it reasons, then calls. */
async function firstStep(): Promise<ModelEvent[]> {
  const body = sse(
    piece({ reasoning_content: "Look first." }),
    callPiece({ index: 0, id: "c1", function: { name: "look", arguments: "{}" } }),
    piece({}, "tool_calls"),
  );
  const fetch = async () => new Response(body);
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://model.test/v1", model: "deepseek-v4-flash", fetch });
  const request = { system: "", messages: [], tools: [] };
  return Array.fromAsync(model.stream(request, new AbortController().signal));
}

it("reasoning is sent back with its calls after a death, and in later turns", async () => {
  const look = tool("look", () => ({ ok: true, data: "a room" }));
  const c = createChannelHarness({ tools: [look], database: nodeSqlite() });
  const sent = () => {
    const request = c.requests.at(-1);
    if (!request) throw new Error("nothing was sent");
    return requestBody("deepseek-v4-flash", request).messages.find(({ tool_calls }) => tool_calls !== undefined);
  };
  c.submit({ trigger: { ...testRequest("1"), receivedAt: c.clock.now() } });
  await c.drain();
  c.answer(await firstStep());
  await c.clock.advance(10);
  expect(sent()).toMatchObject({ reasoning_content: "Look first." });
  c.crash();
  c.runAlarm();
  await c.clock.advance(10);
  expect([c.requests.length, sent()]).toMatchObject([3, { reasoning_content: "Look first." }]);
  c.answer([
    { kind: "text", text: "A room." },
    { kind: "end", finishReason: "stop", calls: [], usage: null },
  ]);
  await c.clock.advance(5000);
  c.submit({ trigger: { ...testRequest("2"), receivedAt: c.clock.now() } });
  await c.clock.advance(10);
  expect(sent()).toMatchObject({ reasoning_content: "Look first." });
});
