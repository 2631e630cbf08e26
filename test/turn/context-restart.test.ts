// Tools that add to the model's context instead of answering: the call vanishes, the new item comes last, the tool is withdrawn.
import { describe, expect, it } from "vitest";
import { newTurn } from "../../src/core/state/record.ts";
import { defineTool, type ToolContext } from "../../src/toolkit/define/tool.ts";
import { createContextStash } from "../../src/turn/context-restart.ts";
import { HANDLES_EXPLAINED, withMetadata } from "../../src/turn/message-metadata.ts";
import type { TurnToolContext } from "../../src/turn/tool-context.ts";
import { BEGIN, createTurnHarness, type TurnWorld, using } from "../support/turn-harness.ts";
import { calls, end, says, text, tool } from "../support/turn-script.ts";

const look = tool("look", () => ({ ok: true, data: { seen: 1 } }));
const enriching = (data: Record<string, unknown>) => tool("peek", () => ({ ok: true, data }));
const IMAGE = { type: "context_restart_image", enhanced_context_item: { text: "The avatar", images: ["https://a/b"] } };
const peek = enriching(IMAGE);
const conversation = (w: TurnWorld) =>
  (w.requests.at(-1)?.messages ?? []).map((message) => `${message.role}: ${message.text}`);

describe("an enriching call", () => {
  it("leaves no trace except the added item, and its tool is no longer offered", async () => {
    const w = createTurnHarness({ models: [[calls("peek"), says("I see.")]], tools: [peek, look] });
    expect(await w.end()).toMatchObject({ status: "completed", text: "I see." });
    expect(w.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([["look", "peek"], ["look"]]);
    expect(w.requests[1]?.messages).toEqual([
      { role: "user", text: "Theo: go" },
      { role: "user", text: "The avatar", images: ["https://a/b"] },
    ]);
    expect(w.events).toEqual([
      "pass 0",
      "ask m",
      "answer peek",
      `show "" ${using("peek")}`,
      "launch peek",
      "info: Assistant decision: peek - no reason given",
      "withdrawn peek",
      'show ""',
      "pass 1",
      "ask m",
      'show "I see."',
    ]);
  });

  it("is refused at launch if it is made again, however the model came to make it", async () => {
    const w = createTurnHarness({ models: [[calls("peek"), calls("peek"), says("I see.")]], tools: [peek] });
    await w.end();
    expect(w.events.filter((event) => /^(launch|settled)/.test(event))).toEqual([
      "launch peek",
      "settled peek blocked",
    ]);
  });

  it("keeps the results of the other calls in its answer", async () => {
    const w = createTurnHarness({
      models: [[[text("Look:"), end(["look", "peek", "look"])], says("Both.")]],
      tools: [peek, look],
    });
    await w.end();
    expect(conversation(w)).toEqual([
      "user: Theo: go",
      "assistant: Look:",
      'tool: {"seen":1}',
      'tool: {"seen":1}',
      "user: The avatar",
    ]);
  });

  it("resets the count of consecutive failures, but still counts as an iteration", async () => {
    const broken = tool("broken", (_, { note }) => ({ ok: false, error: note ?? "no" }));
    const wrong = (note: string) => calls(["broken", { note }]);
    const limits = { maxConsecutiveToolErrors: 2, maxIterations: 4 };
    const w = createTurnHarness({
      models: [[wrong("a"), calls("peek"), wrong("b"), says("Well.")]],
      tools: [peek, broken],
      limits,
    });
    expect(await w.end()).toMatchObject({ status: "timeout", ending: { kind: "iteration_limit" } });
  });

  it("takes a large item from the stash once, and continues without one that is gone", async () => {
    const item = { text: "large", images: [] };
    const data = { type: "context_restart_image", pending_context_key: "k" };
    const keyed = enriching(data);
    const large = defineTool({
      ...keyed,
      requires: { services: ["stash"] },
      execute(_input, { stash }) {
        stash("k", item);
        return { ok: true, data };
      },
    });
    const w = createTurnHarness({ models: [[calls("peek"), says("Yes.")]], tools: [large] });
    await w.end();
    expect([conversation(w).at(-1), w.stash.take("k")]).toEqual(["user: large", null]);
    const late = createTurnHarness({ models: [[calls("peek"), says("No.")]], tools: [keyed] });
    late.stash.put("k", item);
    await late.clock.advance(300_000);
    expect(await late.end()).toMatchObject({ status: "completed", text: "No." });
    expect(late.events).toContain("warn: a stashed context item is gone");
  });

  it.each(["context_restart_unknown", "context_restart_image_large", "context_restart_gif"])(
    "of the type %s is ordinary data",
    async (type) => {
      const w = createTurnHarness({ models: [[calls("peek"), says("Data.")]], tools: [enriching({ type })] });
      await w.end();
      expect(conversation(w).at(-1)).toBe(`tool: {"type":"${type}"}`);
    },
  );

  it("may have a type that its tool registered, but only in that tool's results", async () => {
    const chart = { type: "context_restart_chart", enhanced_context_item: { text: "The chart" } };
    const draw = tool("draw", () => ({ ok: true, data: chart }), { restarts: ["context_restart_chart"] });
    const copy = tool("copy", () => ({ ok: true, data: chart }));
    const w = createTurnHarness({ models: [[calls("copy"), calls("draw"), says("I see.")]], tools: [draw, copy] });
    await w.end();
    expect(conversation(w)).toEqual([
      "user: Theo: go",
      "assistant: ",
      `tool: ${JSON.stringify(chart)}`,
      "user: The chart",
    ]);
    expect(w.turn().enrichment).toMatchObject({ withdrawnTools: ["draw"], metadata: false });
  });

  it("is still in the conversation of a new life", async () => {
    const w = createTurnHarness({ models: [[calls("peek"), [{ hang: true }], says("I see.")]], tools: [peek] });
    w.begin();
    await w.clock.advance(0);
    w.die();
    w.begin();
    await w.end();
    expect([conversation(w).at(-1), w.requests.at(-1)?.tools]).toEqual(["user: The avatar", []]);
  });
});

describe("the stash", () => {
  const item = (text: string) => ({ text, images: [] });

  it.each([
    [299_999, true],
    [300_000, false],
  ])("keeps an item for five minutes, and after %i ms still has it: %s", (ms, isThere) => {
    let now = 0;
    const stash = createContextStash(() => now);
    stash.put("k", item("large"));
    now = ms;
    expect(stash.take("k") !== null).toBe(isThere);
  });

  it("keeps sixteen items, and drops the oldest for another", () => {
    const stash = createContextStash(() => 0);
    for (let n = 1; n <= 17; n++) stash.put(String(n), item(String(n)));
    const keys = Array.from({ length: 17 }, (_, index) => String(index + 1));
    expect(keys.filter((key) => stash.take(key) === null)).toEqual(["1"]);
  });
});

describe("message handles", () => {
  const reveal = tool("reveal_message_metadata", () => ({
    ok: true,
    data: { type: "context_restart_message_metadata" },
  }));
  const HOUR = 3_600_000;

  /** A turn from an hour ago, and its reply in Discord. */
  function earlierTurn(w: TurnWorld): void {
    const at = BEGIN - HOUR;
    const turn = newTurn({ ...w.turn().request, interactionId: "t0" }, "finished", 0, at);
    w.channel.insertTurn({ ...turn, parts: [{ state: "sent", id: "900" }] });
    const message = { turnId: "t0", details: "", calls: [], native: null };
    w.channel.addMessage({ ...message, role: "user", text: "Mira: hi" });
    w.channel.addMessage({ ...message, role: "assistant", text: "Hello." });
  }

  it("appear with the time below every message once a tool reveals them, and are explained", async () => {
    const w = createTurnHarness({ models: [[calls("reveal_message_metadata"), says("Done.")]], tools: [reveal] });
    earlierTurn(w);
    await w.end();
    expect(w.requests.map(({ messages }) => messages.map((message) => message.text))).toEqual([
      ["Mira: hi", "Hello.", "Theo: go"],
      [
        "Mira: hi\n[ref_2, sent 2029-12-31 23:00 UTC, 1 hour ago]",
        "Hello.\n[ref_3, sent 2029-12-31 23:00 UTC, 1 hour ago]",
        "Theo: go\n[ref_1, sent 2030-01-01 00:00 UTC, just now]",
        HANDLES_EXPLAINED,
      ],
    ]);
    expect(w.requests[1]?.tools).toEqual([]);
  });

  it("lead tools to Discord's messages, as they change", async () => {
    let seen: ToolContext | null = null;
    const flags: boolean[] = [];
    const ask = tool("ask", (context) => {
      seen = context;
      flags.push((context as TurnToolContext).streamContext.disableMessageMetadataContext);
      return { ok: true, data: 1 };
    });
    const script = [calls("ask"), calls("reveal_message_metadata"), calls("ask"), says("Done.")];
    const w = createTurnHarness({ models: [script], tools: [reveal, ask] });
    earlierTurn(w);
    await w.end();
    expect(flags).toEqual([false, true]);
    const { messageIdMap } = seen as unknown as TurnToolContext;
    expect([...messageIdMap]).toEqual([...messageIdMap.entries()]);
    expect([...messageIdMap.keys(), ...messageIdMap.values()]).toEqual(["ref_2", "ref_3", "900", "900"]);
    expect([messageIdMap.get("ref_2"), messageIdMap.has("ref_1"), messageIdMap.size]).toEqual(["900", false, 2]);
    const found: string[] = [];
    messageIdMap.forEach((id, handle) => void found.push(`${handle} ${id}`));
    expect(found).toEqual(["ref_2 900", "ref_3 900"]);
  });

  it.each([
    [0, "just now"],
    [59_999, "just now"],
    [60_000, "1 minute ago"],
    [2 * HOUR - 1, "1 hour ago"],
    [24 * HOUR, "1 day ago"],
    [50 * HOUR, "2 days ago"],
  ])("show an age of %i ms as %j", (ms, words) => {
    const line = withMetadata("", { handle: "ref_1", sentAt: BEGIN - ms }, BEGIN);
    expect(line).toMatch(new RegExp(`^\\[ref_1, sent 20.* UTC, ${words}\\]$`));
  });
});
