// Tools for tests only: slow ones, one that ignores its signal, and ones of every category whose effects a receiver counts.
import { object, optional, string } from "zod";
import { defineTool, type Tool, type ToolCategory, type ToolHints } from "../../src/toolkit/define/tool.ts";

/** What the test tools need: a receiver that records every effect, and a way to hold a tool. */
export interface ToolServer {
  /** Records an effect under the key, once per call of this function. */
  effect(key: string): Promise<void>;
  /** Resolves when the test releases the tool, or never. */
  hold(): Promise<void>;
}

/** A picture of one red pixel. */
const PICTURE = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="),
  (one) => one.charCodeAt(0),
);

const input = object({ note: optional(string()) });
const hints = (readOnly: boolean, idempotent: boolean): ToolHints => ({
  readOnly,
  idempotent,
  destructive: !readOnly,
  openWorld: true,
});

/** Makes the tools, over one receiver. */
export function testTools(server: ToolServer): Tool[] {
  const counted = (
    name: string,
    toolHints: ToolHints,
    category: ToolCategory = toolHints.readOnly ? "safe" : "async",
  ): Tool =>
    defineTool({
      name,
      description: `Test tool: ${name}.`,
      input,
      category,
      hints: toolHints,
      async execute({ note }, { idempotencyKey }) {
        await server.effect(`${name} ${idempotencyKey}`);
        return { ok: true, data: { done: name, note: note ?? null } };
      },
    });
  return [
    counted("read", hints(true, true)),
    counted("put", hints(false, true)),
    counted("count", hints(false, false)),
    counted("announce", hints(false, false), "terminal"),
    counted("purge", hints(false, false), "dangerous"),
    defineTool({
      name: "peek",
      description: "Test tool: puts its note before the model instead of answering.",
      input,
      category: "safe",
      hints: hints(true, true),
      execute: ({ note }) => ({
        ok: true,
        data: { type: "context_restart_image", enhanced_context_item: { text: note ?? "something to see" } },
      }),
    }),
    defineTool({
      name: "draw",
      description: "Test tool: makes a picture.",
      input,
      category: "async",
      hints: hints(true, true),
      execute: ({ note }) => ({
        ok: true,
        data: { drawn: note ?? "something" },
        files: [{ name: `${note ?? "drawing"}.png`, type: "image/png", data: PICTURE }],
      }),
    }),
    defineTool({
      name: "deaf",
      description: "Test tool: never hears its signal.",
      input,
      category: "async",
      hints: hints(false, false),
      async execute(_input, { idempotencyKey }) {
        await server.hold();
        await server.effect(`deaf ${idempotencyKey}`);
        return { ok: true, data: "too late" };
      },
    }),
    defineTool({
      name: "slow",
      description: "Test tool: waits for its signal.",
      input,
      category: "async",
      hints: hints(false, false),
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
    }),
    defineTool({
      name: "broken",
      description: "Test tool: always fails.",
      input,
      category: "safe",
      hints: hints(true, true),
      execute: () => ({ ok: false, error: "it is broken" }),
    }),
  ];
}
