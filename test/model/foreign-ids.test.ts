// Call ids that one model created and the next model's provider refuses.
import { expect, it } from "vitest";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { createOpenAiModel } from "../../src/model/openai.ts";
import { piece, sse } from "./fixtures/stream.ts";
import { question } from "./hosted.ts";

const DONE = sse(piece({ content: "ok" }, "stop"));

/** One as Kimi creates them, and one as most do. */
const IDS = ["functions.look:0", "call_1"];
const messages: Message[] = [
  { role: "user", text: "go" },
  { role: "assistant", text: "", calls: IDS.map((id) => ({ id, name: "look", arguments: "{}" })) },
  ...IDS.map((callId): Message => ({ role: "tool", callId, text: "{}" })),
  { role: "user", text: "and?" },
];

it.each([
  ["Anthropic", "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
  ["Anthropic", "messages.2.content.0.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
  [
    "Bedrock",
    "Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
  ],
])(
  "are replaced after the refusal, together with those of their results, and from then on: %s, %s",
  async (_, message) => {
    const asked: string[][] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      const sent = (await new Response(init?.body).json()) as {
        messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[];
      };
      const ids = sent.messages.flatMap(({ tool_calls: calls = [], tool_call_id: id }) => [
        ...calls.map((call) => call.id),
        ...(id === undefined ? [] : [id]),
      ]);
      asked.push(ids);
      return ids.every((id) => /^[a-zA-Z0-9_-]+$/.test(id))
        ? new Response(DONE)
        : Response.json({ error: { message, type: "invalid_request_error" } }, { status: 400 });
    };
    const model = createOpenAiModel({ apiKey: "", baseUrl: "http://m.test", model: "m", fetch });
    const ask = () => Array.fromAsync(model.stream(question("", { messages }), new AbortController().signal));
    for (const events of [await ask(), await ask()]) expect(events.at(-1)).toMatchObject({ kind: "end" });
    const [first, second, third] = asked;
    expect(first).toEqual([...IDS, ...IDS]);
    expect(second).toEqual([second?.[0], "call_1", second?.[0], "call_1"]);
    expect(third).toEqual(second);
    expect(asked).toHaveLength(3);
  },
);
