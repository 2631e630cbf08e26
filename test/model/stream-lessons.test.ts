// What a server refuses within a stream that began as a success (LM Studio), and what the template of a local model refuses.
import { expect, it } from "vitest";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { dataLine, piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

interface Sent {
  role: string;
  content: unknown;
  reasoning_content?: string;
}

/** A server that refuses a bad conversation by an event. */
function local(isBad: (messages: Sent[]) => boolean, message: string, before = "") {
  const asked: Sent[][] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    const { messages } = (await new Response(init?.body).json()) as { messages: Sent[] };
    asked.push(messages);
    const refused = `${before}event: error\n${dataLine({ error: { message } })}`;
    return new Response(isBad(messages) ? refused : sse(piece({ content: "ok" }, "stop")));
  };
  const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
  const ask = async (messages: Message[]) =>
    (await Array.fromAsync(model.stream(question("", { messages }), new AbortController().signal))).at(-1);
  return { asked, ask };
}

const TEMPLATE = "Error rendering prompt with jinja template:";

it("an order of speakers that is refused within the stream is changed, and from then on", async () => {
  const isBad = (messages: Sent[]) => messages.some(({ role }, at) => role === messages[at - 1]?.role);
  const { asked, ask } = local(
    isBad,
    `${TEMPLATE} "Conversation roles must alternate user/assistant/user/assistant/..."`,
  );
  const overheard: Message[] = [
    { role: "user", text: "overheard" },
    { role: "user", text: "go" },
  ];
  for (const end of [await ask(overheard), await ask(overheard)]) expect(end).toMatchObject({ kind: "end" });
  expect(asked.map((messages) => messages.length)).toEqual([3, 2, 2]);
});

it.each([
  "Only user and assistant roles are supported!",
  "Only user, assistant and tool roles are supported, got system.",
])("a system prompt that is refused within the stream becomes the beginning of the question: %s", async (message) => {
  const { asked, ask } = local((messages) => messages[0]?.role === "system", `${TEMPLATE} "${message}"`);
  expect(await ask([{ role: "user", text: "hello" }])).toMatchObject({ kind: "end" });
  expect(asked.at(-1)).toEqual([{ role: "user", content: "Be brief.\n\nhello" }]);
});

it("thoughts are left out for the template of gpt-oss, once it has refused them next to words and calls", async () => {
  const isBad = (messages: Sent[]) => messages.some(({ content, reasoning_content: thought }) => content && thought);
  const refusal =
    "Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other";
  const { asked, ask } = local(isBad, `${TEMPLATE} "${refusal}"`);
  const reasoning = { field: "reasoning_content", text: "Hm." };
  const messages: Message[] = [
    { role: "user", text: "go" },
    {
      role: "assistant",
      text: "I look.",
      calls: [{ id: "c1", name: "look", arguments: "{}" }],
      native: { from: "m", reasoning },
    },
    { role: "tool", callId: "c1", text: "{}" },
  ];
  expect(await ask(messages)).toMatchObject({ kind: "end" });
  expect(asked.map((sent) => sent[2]?.reasoning_content)).toEqual(["Hm.", undefined]);
  expect(asked[1]?.[2]).toMatchObject({ content: "I look.", tool_calls: [{ id: "c1" }] });
});

it("Mistral's models under another name get ids and turns in the form that they want", async () => {
  const id = "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.";
  const order = "Unexpected role 'user' after role 'tool'";
  const calls = [{ id: "call_1", name: "look", arguments: "{}" }];
  const messages: Message[] = [
    { role: "user", text: "go" },
    { role: "assistant", text: "", calls },
    { role: "tool", callId: "call_1", text: "{}" },
    { role: "user", text: "and?" },
  ];
  const named = local((sent) => JSON.stringify(sent).includes("call_1"), id);
  const turned = local((sent) => sent.some(({ role }, at) => role === "user" && sent[at - 1]?.role === "tool"), order);
  for (const { ask, asked } of [named, turned]) {
    expect(await ask(messages)).toMatchObject({ kind: "end" });
    expect(asked).toHaveLength(2);
  }
});

it("nothing is asked again once the answer has begun, or if the refusal teaches nothing", async () => {
  const roles = "Conversation roles must alternate user/assistant";
  const begun = local(() => true, roles, dataLine(piece({ content: "So" })));
  expect(await begun.ask([{ role: "user", text: "a" }])).toMatchObject({ kind: "failed" });
  const other = local(() => true, "Something went wrong");
  expect(await other.ask([{ role: "user", text: "a" }])).toMatchObject({
    kind: "failed",
    failure: { reason: "bad_stream" },
  });
  expect([begun.asked.length, other.asked.length]).toEqual([1, 1]);
});
