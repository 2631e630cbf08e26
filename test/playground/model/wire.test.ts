// The wire format of the local model: what the official client reads, and the exact events that it gets.
import { describe, expect, it } from "vitest";
import { scriptSchema } from "../../../src/playground/model/script.ts";
import { ask, localClient, post, quickModel } from "./conversation.ts";

const hello = { model: "m", messages: [{ role: "user", content: "hello" }] };

const events = (text: string) =>
  text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => (event.startsWith("data: {") ? JSON.parse(event.slice(6)) : event));

describe("a streamed answer", () => {
  it("consists of a role chunk, deltas, a finish chunk, a usage chunk and [DONE], in this order", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "Hi " }, { comment: true }, { text: "you" }], usage: { prompt_tokens: 7 } }]);
    const { text } = await post(model, { ...hello, stream: true, stream_options: { include_usage: true } });
    const read = events(text);
    expect(read.map((event) => event.choices?.[0]?.delta ?? event.choices ?? event)).toEqual([
      { role: "assistant", content: "" },
      { content: "Hi " },
      ": keep-alive",
      { content: "you" },
      {},
      [],
      "data: [DONE]",
    ]);
    expect(read[4].choices[0].finish_reason).toBe("stop");
    expect(read.map((event) => event.usage)).toEqual([
      null,
      null,
      undefined,
      null,
      null,
      { prompt_tokens: 7, completion_tokens: 2, total_tokens: expect.any(Number) },
      undefined,
    ]);
    expect(new Set(read.filter((event) => event.id).map((event) => `${event.id} ${event.model}`)).size).toBe(1);
  });

  it("contains no usage unless the client asks for it", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "Hi" }] }]);
    const { text } = await post(model, { ...hello, stream: true });
    expect(text).not.toContain("usage");
  });

  it("names a tool call first and then sends its arguments in as many fragments as the step says", async () => {
    const { model } = quickModel();
    model.script([
      { chunks: [{ call: { id: "c1", name: "roll_dice", arguments: { notation: "3d6" }, fragments: 3 } }] },
    ]);
    const { text } = await post(model, { ...hello, stream: true });
    const deltas = events(text).flatMap((event) => event.choices?.[0]?.delta.tool_calls ?? []);
    expect(deltas).toEqual([
      { index: 0, id: "c1", type: "function", function: { name: "roll_dice", arguments: "" } },
      { index: 0, function: { arguments: '{"nota' } },
      { index: 0, function: { arguments: 'tion":' } },
      { index: 0, function: { arguments: '"3d6"}' } },
    ]);
  });

  it("is read by the official client: text, reasoning, several calls, finish reason, usage", async () => {
    const { model } = quickModel();
    model.script([
      {
        chunks: [
          { reasoning: "hmm" },
          { text: "Rolling." },
          { call: { id: "a", name: "roll_dice", arguments: { notation: "1d4" } } },
          { call: { id: "b", name: "get_current_time", arguments: "{}" } },
        ],
        usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      },
    ]);
    expect(await ask(model, "go")).toEqual({
      text: "Rolling.",
      reasoning: "hmm",
      calls: [
        { id: "a", name: "roll_dice", arguments: '{"notation":"1d4"}' },
        { id: "b", name: "get_current_time", arguments: "{}" },
      ],
      finish: "tool_calls",
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    });
  });
});

describe("an answer in one piece", () => {
  it("is one completion object, with null content if there are only calls", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "Hi" }] }, { chunks: [{ call: { id: "a", name: "t", arguments: {} } }] }]);
    const create = () =>
      localClient(model).chat.completions.create({ model: "m", messages: [{ role: "user", content: "hello" }] });
    const [said, called] = [await create(), await create()];
    expect(said.choices).toEqual([
      { index: 0, message: { role: "assistant", content: "Hi", refusal: null }, logprobs: null, finish_reason: "stop" },
    ]);
    expect(called.choices[0]).toMatchObject({
      message: { content: null, tool_calls: [{ id: "a", type: "function", function: { name: "t", arguments: "{}" } }] },
      finish_reason: "tool_calls",
    });
  });
});

describe("the other routes", () => {
  it("list one model", async () => {
    const { model } = quickModel();
    expect((await localClient(model).models.list()).data).toMatchObject([{ id: "parley-local", object: "model" }]);
  });

  it("answer an unknown path with the provider's form of an error", async () => {
    const { model } = quickModel();
    const response = await model.fetch(new Request("http://model.local/v1/embeddings", { method: "POST" }));
    expect([response.status, await response.json()]).toEqual([
      404,
      {
        error: {
          message: "Unknown request URL: POST /v1/embeddings.",
          type: "invalid_request_error",
          param: null,
          code: "unknown_url",
        },
      },
    ]);
  });
});

describe("a script", () => {
  it("uses one step per request, and a step with `when` waits for its message while later ones go ahead", async () => {
    const { model } = quickModel();
    model.script([
      { chunks: [{ text: "for bees" }], when: { userTextIncludes: "bees" } },
      { chunks: [{ text: "first" }] },
      { chunks: [{ text: "second" }] },
    ]);
    const texts: string[] = [];
    for (const message of ["x", "about bees", "bees again", "hello"]) texts.push((await ask(model, message)).text);
    expect(texts).toEqual(["first", "for bees", "second", expect.stringContaining("Ahoy")]);
  });

  it("can replace the answer's status, headers and body", async () => {
    const { model } = quickModel();
    model.script([
      { status: 429, headers: { "retry-after": "3" } },
      { status: 503, body: "busy" },
      { body: { odd: true } },
    ]);
    const answers = [];
    for (let step = 0; step < 3; step++) {
      const { response, text } = await post(model, hello);
      answers.push([response.status, response.headers.get("retry-after"), text]);
    }
    expect(answers).toEqual([
      [429, "3", expect.stringContaining('"type":"rate_limit_error"')],
      [503, null, "busy"],
      [200, null, '{"odd":true}'],
    ]);
  });

  it("sends no finish reason and no [DONE] if finish is null, and raw text as it is", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "Hi" }, { raw: "data: {oops\n\n" }], finish: null }]);
    const { text } = await post(model, { ...hello, stream: true });
    expect(text.endsWith("data: {oops\n\n")).toBe(true);
    expect(text).not.toMatch(/"finish_reason":"|\[DONE\]/);
  });

  it("pauses with the injected sleep", async () => {
    const { model, paused } = quickModel();
    model.script([{ chunks: [{ waitMs: 40 }, { text: "a" }, { waitMs: 2 }] }]);
    await ask(model, "x");
    expect(paused).toEqual([40, 2]);
  });

  it("breaks the stream at a cut, which the log records as neither finished nor aborted", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "half" }, { cut: true }] }]);
    await expect(ask(model, "x")).rejects.toThrow("cut on purpose");
    expect(model.log).toMatchObject([{ status: 200, aborted: false, finished: false }]);
  });

  it("is plain JSON whose unknown keys are refused", () => {
    expect(scriptSchema.safeParse([{ chunks: [{ text: "a" }, { hang: true }], finish: null }]).success).toBe(true);
    expect(scriptSchema.safeParse([{ chunks: [{ txt: "a" }] }]).success).toBe(false);
    expect(scriptSchema.safeParse([{ chuncks: [] }]).success).toBe(false);
  });
});

describe("the log", () => {
  it("keeps every request with its body and outcome, and a reset empties it together with the script", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [] }, { chunks: [{ text: "never" }] }]);
    await post(model, hello);
    await post(model, "no json");
    expect(model.log).toEqual([
      { at: 1_700_000_000_000, body: hello, status: 200, aborted: false, finished: true },
      { at: 1_700_000_000_000, body: "no json", status: 400, aborted: false, finished: true },
    ]);
    model.reset();
    expect(model.log).toEqual([]);
    expect((await ask(model, "hello")).text).toContain("Ahoy");
  });

  it("notices a client that cancels the body, even during a hang", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "a" }, { hang: true }] }]);
    const request = new Request("http://model.local/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer local" },
      body: JSON.stringify({ ...hello, stream: true }),
    });
    const reader = (await model.fetch(request)).body?.getReader();
    await reader?.read();
    await reader?.read();
    const pendingRead = reader?.read();
    expect(model.log).toMatchObject([{ aborted: false, finished: false }]);
    await reader?.cancel();
    await pendingRead;
    expect(model.log).toMatchObject([{ aborted: true, finished: false }]);
  });

  it("notices a client whose request signal aborts, and the body fails as it would with a closed socket", async () => {
    const { model } = quickModel();
    model.script([{ chunks: [{ text: "a" }, { hang: true }] }]);
    const stop = new AbortController();
    const stream = await localClient(model).chat.completions.create(
      { model: "m", messages: [{ role: "user", content: "x" }], stream: true },
      { signal: stop.signal },
    );
    const reading = (async () => {
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content === "a") stop.abort();
    })();
    await expect.poll(() => model.log[0]?.aborted).toBe(true);
    await reading;
    expect(model.log).toMatchObject([{ status: 200, aborted: true, finished: false }]);
  });
});
