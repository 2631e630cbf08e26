// The known facts about this kind of loop, each tested under its number in the list of facts. Where a fact and the
// specification differ, the specification applies, and the name says so.
import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { buildResult, theBot } from "../../src/turn/build-result.ts";
import type { TurnToolContext } from "../../src/turn/tool-context.ts";
import { type ChannelHarness, createChannelHarness } from "../support/channel-harness.ts";
import { testRequest } from "../support/store-contract.ts";
import { createTurnHarness } from "../support/turn-harness.ts";
import { calls, EFFECT, end, fails, type Pass, type Step, says, text, tool } from "../support/turn-script.ts";

const broken = tool("broken", (_, { note }) => ({ ok: false, error: note ?? "no" }));
const wrong = (round: number) => calls(["broken", { note: `${round}` }]);
const settled = (events: string[]) => events.filter((event) => event.startsWith("settled"));

describe("fact 1", () => {
  it("iteration 20 warns once, and the kill hint shows from iteration 20 on", async () => {
    const hints: boolean[] = [];
    const ask = tool("ask", (context) => {
      hints.push((context as TurnToolContext).showKillHint);
      return { ok: true, data: hints.length };
    });
    const w = createTurnHarness({
      models: [[...Array.from({ length: 25 }, () => calls("ask")), says("Done.")]],
      tools: [ask],
    });
    await w.end();
    expect(hints.indexOf(true)).toBe(20);
    expect(hints.lastIndexOf(false)).toBe(19);
    expect(w.turn().softWarnAt).toBe(w.turn().startedAt);
  });

  it("100 context restarts end the turn as a timeout", async () => {
    const data = { type: "context_restart_image" };
    const tools = Array.from({ length: 99 }, (_, index) => tool(`peek_${index}`, () => ({ ok: true, data })));
    const script = tools.map(({ name }) => calls(name));
    const w = createTurnHarness({ models: [[...script, calls("peek_0")]], tools });
    expect(await w.end()).toMatchObject({ status: "timeout", ending: { kind: "iteration_limit" } });
    expect(w.events.filter((event) => event.startsWith("withdrawn"))).toHaveLength(99);
  });
});

describe("fact 2", () => {
  it("a success and a restart reset the failure counter, and a blocked call adds to it", async () => {
    const fine = tool("fine", () => ({ ok: true, data: 1 }));
    const peek = tool("peek", () => ({ ok: true, data: { type: "context_restart_image" } }));
    const gate = {
      decide: (name: string) => (name === "shut" ? ({ allowed: false, payload: { status: "shut" } } as const) : OPEN),
    };
    const four = [0, 1, 2, 3].map(wrong);
    const script: Pass[] = [...four, calls("fine"), ...four, calls("peek"), ...four, calls("shut")];
    const w = createTurnHarness({ models: [script], tools: [broken, fine, peek], gate });
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "tool_errors" } });
    expect(settled(w.events).at(-1)).toBe("settled shut blocked");
  });

  it("the fifth failure ends in error and keeps its entry; a silent turn shows no notice", async () => {
    const w = createTurnHarness({ models: [[0, 1, 2, 3, 4].map(wrong)], tools: [broken], surface: false });
    expect(await w.end()).toMatchObject({ status: "error", ending: { kind: "tool_errors", quiet: true } });
    expect(settled(w.events)).toHaveLength(5);
  });
});

const OPEN = { allowed: true } as const;
/** A channel in which Theo asks, unless another person is named. */
function channelOf(tools: readonly Tool[] = []) {
  const channel = createChannelHarness({ tools });
  const submit = (id: string, userId = "7") =>
    channel.submit({ trigger: { ...testRequest(id, userId), receivedAt: channel.clock.now() } });
  return {
    channel,
    submit,
    asks(id: string, userId = "7") {
      submit(id, userId);
      return channel.drain();
    },
    statusesOf: (...ids: string[]) => ids.map((id) => channel.store.turn(id)?.status),
  };
}
const stop = (channel: ChannelHarness, interactionId: string, kind: "stop" | "kill" = "stop") =>
  channel.stop({ kind, turnId: null, userId: "7", userName: "Theo", moderator: true, interactionId });

describe("fact 3", () => {
  it("a kill in the stream aborts HTTP, sets stopped_by_user, shows no timeout, clears flag and queue", async () => {
    const { channel, asks } = channelOf();
    await asks("1");
    await asks("2", "8");
    expect(channel.streams()).toBe(1);
    stop(channel, "3", "kill");
    await channel.clock.advance(300_000);
    const { lock, running, queue } = channel.store.state();
    expect([channel.streams(), lock.turnId, running, queue]).toEqual([0, null, null, []]);
    expect(channel.store.turn("1")?.status).toBe("stopped_by_user");
    expect(channel.shown().get("token-1")).toBe("-# Stopped by <@7>.");
    await asks("4");
    expect([channel.streams(), channel.store.turn("4")?.stop]).toEqual([1, null]);
  });
});

describe("fact 4", () => {
  it("a kill in a tool adds no history and no model call; a tool that ignores it posts nothing later", async () => {
    let late = (_data: { ok: true; data: string }) => {};
    const deaf = tool("deaf", () => new Promise((resolve) => (late = resolve)), EFFECT);
    const w = createTurnHarness({ models: [[calls("deaf")]], tools: [deaf] });
    w.begin();
    await w.clock.advance(0);
    w.stop("kill");
    expect(await w.end()).toMatchObject({ status: "stopped_by_user" });
    const before = [...w.events];
    late({ ok: true, data: "too late" });
    await w.clock.advance(1000);
    expect([w.events, settled(w.events), w.requests.length]).toEqual([before, [], 1]);
  });
});

describe("fact 5", () => {
  it("a tool timeout is recorded as a failure, and a chain of fast tools is unaffected", async () => {
    const fast = tool("fast", () => ({ ok: true, data: 1 }));
    const stuck = tool("stuck", () => new Promise<never>(() => {}), EFFECT);
    const script = [calls(["fast", { note: "1" }]), calls("stuck"), calls(["fast", { note: "2" }]), says("Done.")];
    const w = createTurnHarness({ models: [script], tools: [fast, stuck], limits: { toolTimeoutMs: 10_000 } });
    expect(await w.end(10_000)).toMatchObject({ status: "completed" });
    expect(settled(w.events)).toEqual(["settled fast ok", "settled stuck timeout", "settled fast ok"]);
  });
});

describe("fact 6", () => {
  it("a token every 119 s never times out, 120 s of silence does, and the first token may take longer", async () => {
    const beats: Step[] = Array.from({ length: 5 }, () => [{ waitMs: 119_000 }, text(".")]).flat();
    const w = createTurnHarness({ models: [[[{ waitMs: 299_000 }, text("So"), ...beats, { hang: true }]]] });
    expect(await w.end(299_000 + 5 * 119_000 + 120_000)).toMatchObject({ status: "timeout", text: "So....." });
  });
});

describe("fact 8", () => {
  it("a follow-up interrupts text once; during tools only the newest waits; the 4th in a row queues", async () => {
    const stuck = tool("stuck", () => new Promise<never>(() => {}), EFFECT);
    const { channel, asks, statusesOf } = channelOf([stuck]);
    channel.store.putSetting("turns_per_minute", "0");
    await asks("1");
    await asks("2");
    expect([statusesOf("1", "2"), channel.streams()]).toEqual([["follow_up_interrupt", null], 1]);
    channel.answer([end(["stuck"])]);
    await channel.drain();
    await asks("3");
    await asks("4");
    expect([statusesOf("2", "3", "4"), channel.streams()]).toEqual([[null, "superseded", null], 0]);
    stop(channel, "5");
    await channel.drain();
    expect([statusesOf("2", "4"), channel.streams()]).toEqual([["stopped_by_user", null], 1]);
    channel.answer([text("Both."), end()]);
    await channel.drain();
    expect(statusesOf("4")).toEqual(["completed"]);
    for (const id of ["6", "7", "8", "9", "10"]) await asks(id);
    expect(statusesOf("6", "7", "8", "9", "10")).toEqual([...Array(3).fill("follow_up_interrupt"), null, null]);
    expect([channel.store.state().queue.map(({ id, followUp }) => [id, followUp]), channel.streams()]).toEqual([
      [["10", false]],
      1,
    ]);
  });
});

describe("fact 9", () => {
  it("a follow-up is refused while a stop is pending, and a stop overrides a follow-up", async () => {
    const stopped = channelOf();
    await stopped.asks("1");
    stop(stopped.channel, "2");
    expect(stopped.submit("3")).toEqual({ kind: "refused", refusal: { reason: "stop_pending" } });
    await stopped.channel.drain();
    expect([stopped.statusesOf("1"), stopped.channel.streams()]).toEqual([["stopped_by_user"], 0]);
    const overridden = channelOf();
    await overridden.asks("1");
    expect(overridden.submit("2")).toEqual({ kind: "accepted" });
    stop(overridden.channel, "3");
    await overridden.channel.drain();
    expect([overridden.statusesOf("1", "2"), overridden.channel.streams()]).toEqual([["stopped_by_user", null], 1]);
  });
});

describe("fact 10", () => {
  it("a restart sets its flag, puts its item last, adds no history, resets counters; a missing key continues", async () => {
    const data = { type: "context_restart_message_metadata", pending_context_key: "gone" };
    const reveal = tool("reveal_message_metadata", () => ({ ok: true, data }));
    const item = { text: "The avatar", images: [] };
    const image = { type: "context_restart_image", enhanced_context_item: item };
    const peek = tool("peek", () => ({ ok: true, data: image }));
    const four = [0, 1, 2, 3].map(wrong);
    const script = [...four, calls("reveal_message_metadata"), ...four, calls("peek"), says("Done.")];
    const w = createTurnHarness({ models: [script], tools: [reveal, peek, broken] });
    expect(await w.end()).toMatchObject({ status: "completed" });
    expect(w.turn().enrichment).toEqual({
      withdrawnTools: ["reveal_message_metadata", "peek"],
      items: [item],
      metadata: true,
    });
    expect(w.requests.at(-1)?.messages.at(-1)).toEqual({ role: "user", text: "The avatar" });
    expect(settled(w.events)).toHaveLength(8);
    expect(w.events).toContain("warn: a stashed context item is gone");
  });
});

describe("fact 11", () => {
  it("buildResult drops empty text, picks the thought log's owner, and keeps details without text", () => {
    const ending = { kind: "completed" } as const;
    const speaker = { ...theBot, impersonatedUserId: "7", personaId: "p" };
    expect(buildResult(ending, { text: " " }, null).personaResponses).toEqual([]);
    expect(buildResult(ending, { text: "", thoughtLog: "hm" }, null, speaker).thoughtLogOwner).toEqual({
      type: "user_impersonation",
      userId: "7",
    });
    expect(buildResult(ending, { text: "", detailsText: "d" }, null).personaResponses).toMatchObject([
      { text: "[Details]\nd" },
    ]);
  });
});

describe("fact 13", () => {
  it("only errors and timeouts fall back, in place; empty answers retry twice; the fallback is noted", async () => {
    const error = createTurnHarness({ models: [[[text("Half"), ...fails("auth")]], [says("Whole.")]] });
    expect(await error.end()).toMatchObject({ text: "Whole.", ending: { kind: "completed", by: "m2" } });
    expect(error.events.filter((event) => event.startsWith("show"))).toEqual([
      'show "Half"',
      'show ""',
      'show "Whole."',
    ]);
    const timeout = createTurnHarness({ models: [[[{ hang: true }]], [says("Whole.")]], surface: false });
    const quiet = await timeout.end(300_000);
    expect([quiet.text, "by" in quiet.ending]).toEqual(["Whole.", false]);
    const empty = createTurnHarness({ models: [[[end()], [end()], [end()]], [says("Never asked.")]] });
    expect(await empty.end(2000)).toMatchObject({ status: "empty_response" });
    expect(empty.requests).toHaveLength(3);
  });
});
