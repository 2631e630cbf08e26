// What the local model refuses, row by row: transcript errors that a lenient fake would hide until production.
import { describe, expect, it } from "vitest";
import { clock, dice, post, quickModel } from "./conversation.ts";

const user = { role: "user", content: "hi" };
const calls = (...ids: string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "t", arguments: "{}" } })),
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "{}" });
const withArguments = (text: string) => ({
  role: "assistant",
  tool_calls: [{ id: "a", type: "function", function: { name: "t", arguments: text } }],
});
const named = (name?: string) => ({ type: "function", function: { name, parameters: { type: "object" } } });

const refused: [row: string, body: object, message: RegExp][] = [
  ["no messages", {}, /messages/],
  ["an empty list of messages", { messages: [] }, /messages must not be empty/],
  ["no model", { model: undefined, messages: [user] }, /model/],
  ["an unknown role", { messages: [{ role: "robot", content: "x" }] }, /messages\[0\].* role is one of/],
  ["a user message without content", { messages: [{ role: "user" }] }, /messages\[0\].content/],
  [
    "an assistant message with neither content nor calls",
    { messages: [user, { role: "assistant" }, user] },
    /needs content or tool_calls/,
  ],
  ["an empty list of calls", { messages: [user, { role: "assistant", tool_calls: [] }] }, /tool_calls/],
  ["a result without a call", { messages: [user, result("a")] }, /answers 'a'/],
  ["a result of another call", { messages: [user, calls("a"), result("b")] }, /answers 'b'/],
  ["a second result of one call", { messages: [user, calls("a"), result("a"), result("a")] }, /answers 'a'/],
  [
    "a call unanswered before the next user message",
    { messages: [user, calls("a", "b"), result("a"), user] },
    /'b' have no tool message before messages\[3\]/,
  ],
  [
    "a call unanswered before the next assistant message",
    { messages: [user, calls("a"), calls("b"), result("b")] },
    /'a' have no tool message/,
  ],
  ["a call unanswered at the end", { messages: [user, calls("a")] }, /before the end of messages/],
  ["two calls with one id", { messages: [user, calls("a", "a"), result("a")] }, /repeats the call id 'a'/],
  [
    "arguments that are not JSON text",
    { messages: [user, withArguments('{"a":'), result("a")] },
    /arguments must be JSON text/,
  ],
  ["a tool without a name", { messages: [user], tools: [named()] }, /tools\[0\].function.name is required/],
  ["a tool whose name has a space", { messages: [user], tools: [named("roll dice")] }, /must match/],
  ["a tool name of 65 characters", { messages: [user], tools: [named("x".repeat(65))] }, /must match/],
  ["two tools with one name", { messages: [user], tools: [dice, clock, dice] }, /two tools are named 'roll_dice'/],
  [
    "parameters that are not an object schema",
    { messages: [user], tools: [{ type: "function", function: { name: "t", parameters: { type: "string" } } }] },
    /parameters.type/,
  ],
  ["an empty list of tools", { messages: [user], tools: [] }, /leave it out/],
  ["a tool choice without tools", { messages: [user], tool_choice: "auto" }, /tool_choice is only allowed/],
  [
    "parallel_tool_calls without tools",
    { messages: [user], parallel_tool_calls: true },
    /parallel_tool_calls is only allowed/,
  ],
];

describe("a 400 from the local model", () => {
  it.each(refused)("answers %s", async (_, body, message) => {
    const { model } = quickModel();
    const { response, text } = await post(model, { model: "m", ...body });
    const { error } = JSON.parse(text);
    expect(response.status).toBe(400);
    expect(error).toEqual({
      message: expect.stringMatching(message),
      type: "invalid_request_error",
      param: error.param,
      code: null,
    });
    expect(model.log).toMatchObject([{ status: 400, finished: true }]);
  });

  it("answers a body that is not JSON", async () => {
    const { response, text } = await post(quickModel().model, "{");
    expect([response.status, JSON.parse(text).error.message]).toEqual([400, "Invalid request: the body is not JSON"]);
  });

  it("uses up no scripted step", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "kept" }] }]);
    await post(model, { model: "m", messages: [] });
    expect((await post(model, { model: "m", messages: [user] })).text).toContain("kept");
  });
});

describe("the local model", () => {
  it("accepts calls answered in any order, content parts, pictures, and parameters that it does not know", async () => {
    const { response } = await post(quickModel().model, {
      model: "m",
      temperature: 0.2,
      messages: [
        { role: "system", content: [{ type: "text", text: "Be kind." }] },
        {
          role: "user",
          content: [
            { type: "text", text: "see" },
            { type: "image_url", image_url: { url: "data:image/png;base64," } },
          ],
        },
        { ...calls("a", "b"), content: "Looking." },
        result("b"),
        result("a"),
        { role: "assistant", content: "Seen." },
        user,
      ],
      tools: [clock, dice],
      tool_choice: "auto",
      parallel_tool_calls: true,
    });
    expect(response.status).toBe(200);
  });

  it.each([[{}], [{ authorization: "Bearer " }], [{ authorization: "Basic abc" }]])(
    "refuses a request without a bearer key: %j",
    async (headers) => {
      const { response, text } = await post(
        quickModel().model,
        { model: "m", messages: [user] },
        headers as Record<string, string>,
      );
      expect([response.status, JSON.parse(text).error.code]).toEqual([401, "invalid_api_key"]);
    },
  );
});
