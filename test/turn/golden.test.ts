// Golden requests: one turn with every outcome that a call can have, compared body by body with what each kind of model is sent:
// a run, a cached answer, an unknown tool, a gated one, a context restart and a death of the object in between.
import { describe, expect, it } from "vitest";
import { object, string } from "zod";
import { requestBody } from "../../src/model/request-body.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { defineTool, type Tool } from "../../src/toolkit/define/tool.ts";
import { fallbackPrompt } from "../../src/toolkit/text-calls/fallback-format.ts";
import type { Gate, Model, ModelRequest } from "../../src/turn/ports.ts";
import { createTurnHarness, type TurnWorld } from "../support/turn-harness.ts";
import { EFFECT, end, type Pass, says, text, tool } from "../support/turn-script.ts";

/** The tools, and how often each ran. */
function toolbox() {
  const runs: string[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks at a thing.",
    input: object({ at: string() }),
    category: "safe",
    hints: { readOnly: true, idempotent: true, destructive: false, openWorld: false },
    cache: { scope: "turn" },
    execute: ({ at }) => {
      runs.push(`look ${at}`);
      return { ok: true, data: { sees: at } };
    },
  });
  const item = { type: "context_restart_image", enhanced_context_item: { text: "The picture.", images: [] } };
  const view = tool("view", () => ({ ok: true, data: item }));
  const pay = tool("pay", () => new Promise(() => void runs.push("pay")), EFFECT);
  const ban = tool("ban", () => ({ ok: true, data: runs.push("ban") }), EFFECT);
  return { runs, tools: [look, view, pay, ban] as Tool[] };
}
const gate: Gate = {
  decide: (name) =>
    name === "ban"
      ? {
          allowed: false,
          payload: { status: "blocked_by_deliberate_tool_mode", functionName: name, allowedToolNames: ["look"] },
        }
      : { allowed: true },
};

/** Plays the turn with one kind of model. The object dies while the payment runs. */
async function play(asked: (name: string, args: object, words: string) => Pass, mode: Model["toolMode"]) {
  const { runs, tools } = toolbox();
  const passes: Pass[] = [
    asked("look", { at: "door" }, "Let me see."),
    asked("look", { at: "door" }, ""),
    asked("lokk", {}, ""),
    asked("ban", {}, ""),
    asked("view", {}, ""),
    asked("pay", {}, ""),
    says("Done."),
  ];
  const w = createTurnHarness({ models: [Object.assign(passes, mode && { toolMode: mode })], tools, gate });
  w.begin();
  await w.clock.advance(10);
  w.die();
  w.begin();
  expect(await w.end(1000)).toMatchObject({ status: "completed", text: "Let me see.\n\nDone." });
  expect(runs).toEqual(["look door", "pay"]);
  return { w, tools };
}

/** The last request, as it would be sent. */
const sent = (w: TurnWorld) => {
  const request = w.requests.at(-1);
  return request && JSON.parse(JSON.stringify(requestBody("m", request)));
};
const failure = (name: string, reason: string) => ({ status: "tool_execution_failed", reason, tool_name: name });
const UNKNOWN = failure("lokk", "unknown tool: lokk. Did you mean look? Offered: ban, look, pay, view");
const BLOCKED = {
  status: "blocked_by_deliberate_tool_mode",
  functionName: "ban",
  allowedToolNames: ["look"],
};
const INTERRUPTED = failure("pay", "the call was interrupted; outcome unknown, it may or may not have taken effect");
const results: [name: string, args: object, result: object][] = [
  ["look", { at: "door" }, { sees: "door" }],
  ["look", { at: "door" }, { sees: "door" }],
  ["lokk", {}, UNKNOWN],
  ["ban", {}, BLOCKED],
  ["pay", {}, INTERRUPTED],
];
/** The tools that are still offered: `ban` is gated, and `view` is withdrawn after its use. */
const offered = (tools: Tool[]) =>
  createToolRegistry(tools)
    .schemas()
    .filter(({ name }) => name === "look" || name === "pay");
const SYSTEM =
  "Be brief.\n\nUse a tool when it gives a better answer than your memory, and say what you found. Never claim to have done what no tool result shows.";
const rest = { model: "m", stream: true, stream_options: { include_usage: true } };

describe("the last request of the turn", () => {
  it("has native calls for a model that makes them", async () => {
    const { w, tools } = await play((name, args, words) => [text(words), end([[name, args]])], undefined);
    expect(sent(w)).toEqual({
      ...rest,
      messages: [
        { role: "system", content: SYSTEM },
        { role: "user", content: "Theo: go" },
        ...results.flatMap(([name, args, result], index) => [
          {
            role: "assistant",
            content: index === 0 ? "Let me see." : null,
            tool_calls: [{ id: "c0", type: "function", function: { name, arguments: JSON.stringify(args) } }],
          },
          { role: "tool", tool_call_id: "c0", content: JSON.stringify(result) },
        ]),
        { role: "user", content: "The picture." },
      ],
      tools: JSON.parse(JSON.stringify(offered(tools).map((schema) => ({ type: "function", function: schema })))),
    });
  });

  it("doesn't mention calls if a model that writes its calls as text has no tools", async () => {
    const w = createTurnHarness({ models: [Object.assign([says("Hi.")], { toolMode: "fallback" as const })] });
    await w.end();
    expect(w.requests.map(({ system }) => system)).toEqual(["Be brief."]);
  });

  it.each(["no_tools", "refused"] as const)(
    "is asked again, with its tools as text, if the model's server turns out to accept none: %s",
    async (reason) => {
      const { runs, tools } = toolbox();
      const asked: ModelRequest[] = [];
      let toolMode: Model["toolMode"] = "native";
      const model: Model = {
        name: "m",
        get toolMode() {
          return toolMode ?? "native";
        },
        async *stream(request) {
          asked.push(request);
          if (asked.length === 1) {
            toolMode = "fallback";
            yield { kind: "failed", failure: { reason, message: "does not support tools" } };
            return;
          }
          const call = JSON.stringify({ tool: "look", parameters: { at: "door" }, reasoning: "to know" });
          yield { kind: "text", text: asked.length === 2 ? call : "A door." };
          yield { kind: "end", finishReason: "stop", calls: [], usage: null };
        },
      };
      const w = createTurnHarness({ models: [model], tools, gate });
      expect(await w.end()).toMatchObject({ status: "completed", text: "A door." });
      expect(runs).toEqual(["look door"]);
      expect(asked.map(({ tools }) => tools.length)).toEqual([3, 0, 0]);
      expect(asked[1]?.system).toContain("Looks at a thing.");
    },
  );

  it.each([
    [1, { kind: "completed" }, ["old", "new"]],
    [0, { kind: "model_failed", reason: "no_model" }, ["old"]],
  ] as const)("is gone: if %i others can replace it, the turn ends like this", async (others, ending, wanted) => {
    let left: number = others;
    let name = "old";
    const asked: string[] = [];
    const model: Model = {
      get name() {
        return name;
      },
      succeed() {
        name = "new";
        return left-- > 0;
      },
      async *stream() {
        asked.push(name);
        if (name === "new") yield { kind: "text", text: "Hello." };
        yield name === "old"
          ? { kind: "failed", failure: { reason: "no_model", message: "no such model" } }
          : { kind: "end", finishReason: "stop", calls: [], usage: null };
      },
    };
    const w = createTurnHarness({ models: [model], tools: [], gate });
    expect((await w.end()).ending).toEqual(ending);
    expect(asked).toEqual(wanted);
  });

  it("fails, and is not asked forever, if the server refuses it in text too", async () => {
    const modes = ["fallback", "none"] as const;
    let requests = 0;
    const model: Model = {
      name: "m",
      get toolMode() {
        return modes[requests - 1] ?? "none";
      },
      async *stream() {
        requests++;
        yield { kind: "failed", failure: { reason: "no_tools", message: "does not support tools" } };
      },
    };
    const w = createTurnHarness({ models: [model], tools: toolbox().tools, gate });
    expect((await w.end()).ending).toEqual({ kind: "model_failed", reason: "no_tools" });
    expect(requests).toBe(3);
  });

  it("has text tool calls for a model that writes its calls as text", async () => {
    const reasoning = "to know";
    const { w, tools } = await play(
      (name, args, words) => says(`${words}\n\n${JSON.stringify({ tool: name, parameters: args, reasoning })}`),
      "fallback",
    );
    expect(sent(w)).toEqual({
      ...rest,
      messages: [
        { role: "system", content: `${SYSTEM}\n\n${fallbackPrompt(offered(tools))}` },
        { role: "user", content: "Theo: go" },
        ...results.flatMap(([name, args, result], index) => [
          {
            role: "assistant",
            content: `${index === 0 ? "Let me see.\n\n" : ""}${JSON.stringify({ tool: name, parameters: args, reasoning })}`,
          },
          { role: "user", content: `[TOOL RESULT: ${name}]\n${JSON.stringify(result)}` },
        ]),
        { role: "user", content: "The picture." },
      ],
    });
    expect(w.events).toContain("info: Assistant decision: look - to know");
  });
});

describe("a model without tools", () => {
  it("is offered no tools and reads nothing about them, and a call from its server is ignored", async () => {
    const { runs, tools } = toolbox();
    const passes = [[text("As I said."), end([["look", { at: "door" }]])]];
    const w = createTurnHarness({ models: [Object.assign(passes, { toolMode: "none" as const })], tools });
    expect(await w.end()).toMatchObject({ status: "completed", text: "As I said." });
    expect([runs, sent(w)]).toEqual([
      [],
      {
        ...rest,
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Theo: go" },
        ],
      },
    ]);
  });
});

describe("a tool call in a model's text", () => {
  const leak = '<tool_call>\n{"name": "look", "arguments": {"at": "door"}}\n</tool_call>';
  /** The text in pieces of this length, and what was shown of it. */
  async function shownOf(words: string, length: number, mode?: Model["toolMode"]) {
    const { runs, tools } = toolbox();
    const pieces = words.match(new RegExp(`[\\s\\S]{1,${length}}`, "g")) ?? [];
    const passes = [[...pieces.map((piece) => text(piece)), end()], says("Done.")];
    const w = createTurnHarness({ models: [Object.assign(passes, mode && { toolMode: mode })], tools });
    const result = await w.end(5000);
    const shown = w.events.filter((event) => event.startsWith("show"));
    return { text: result.text, markup: shown.filter((event) => /tool_call|"at"|"name"/.test(event)), runs };
  }

  it.each([1, 2, 5, 1000])(
    "is a leak if the model has native calls: never shown, never run, in pieces of %i",
    async (length) => {
      expect(await shownOf(`Wait.\n${leak}`, length)).toEqual({ text: "Wait.\n", markup: [], runs: [] });
    },
  );

  it("without other text counts as no answer, and the model is asked again", async () => {
    expect(await shownOf(leak, 3)).toEqual({ text: "Done.", markup: [], runs: [] });
  });

  it.each([1, 7])("runs if the model calls by text, and is not shown either, in pieces of %i", async (length) => {
    expect(await shownOf(`Wait.\n${leak}`, length, "fallback")).toEqual({
      text: "Wait.\n\nDone.",
      markup: [],
      runs: ["look door"],
    });
  });

  it("also runs with a field that no call has, because nobody is shown it", async () => {
    const call = '{"tool":"look","parameters":{"at":"door"},"extra":1}';
    expect(await shownOf(call, 7, "fallback")).toEqual({ text: "Done.", markup: [], runs: ["look door"] });
  });

  it.each([
    ["Done.", '{"tool":"look","parameters":{"at":"roof"}}\n{"tool":"look","parameters":{"at":"door"}}'],
    ["Wait.\n\nDone.", `${leak}\nWait.\n${leak}`],
  ])("is not shown if another call follows, which runs: %j", async (text, words) => {
    expect(await shownOf(words, 7, "fallback")).toEqual({ text, markup: [], runs: ["look door"] });
  });

  it("never runs if it was cut off", async () => {
    const { runs, tools } = toolbox();
    const cut = [text('{"tool": "look", "parameters": {"at": "do'), end([], "length")];
    const passes = Object.assign([cut, says("Done.")], { toolMode: "fallback" as const });
    const w = createTurnHarness({ models: [passes], tools });
    expect(await w.end()).toMatchObject({ status: "completed", text: "Done." });
    expect([runs, w.events.filter((event) => event.startsWith("settled"))]).toEqual([
      [],
      ["settled look truncated_input"],
    ]);
  });
});
