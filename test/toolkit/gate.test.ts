// What may stand between a good call and its run: something missing, the order of categories, a loop, a person's agreement.
import { describe, expect, it } from "vitest";
import { looseObject } from "zod";
import {
  APPROVAL_LIFE_MS,
  type ApprovalRequest,
  type ApprovalVerdict,
  decideClick,
  summaryOf,
  verdictOn,
} from "../../src/toolkit/approval.ts";
import { createToolRegistry } from "../../src/toolkit/registry.ts";
import { createToolRuntime } from "../../src/toolkit/runtime.ts";
import type { Tool, ToolCategory } from "../../src/toolkit/tool.ts";
import { createTurnGate, freshGateState, type GateState, nextBatch } from "../../src/toolkit/turn-gate.ts";
import { outOfOrder, runsTogether } from "../../src/toolkit/turn-order.ts";
import { benchWith, COUNTS, counting, MemoryLedger, PUTS, probe, READS } from "./arrange.ts";

const named = (name: string, category: ToolCategory, hints = category === "safe" ? READS : COUNTS): Tool =>
  probe(() => ({ ok: true, data: name }), { name, category, hints, input: looseObject({}) });
const yes = { verdict: (): ApprovalVerdict => ({ kind: "approved", by: "21" }) };

/** A runtime with the turn's gate over a state in memory. */
function gated(...tools: Tool[]) {
  let state: GateState = freshGateState();
  const gate = createTurnGate(
    () => state,
    (next) => {
      state = JSON.parse(JSON.stringify(next)) as GateState;
    },
  );
  const b = benchWith({ gate, approvals: yes }, ...tools);
  return {
    call: (name: string, args: unknown = {}) => b.call(args, {}, name),
    answerBegins: () => {
      state = nextBatch(state);
    },
  };
}

describe("categories within one answer and one turn", () => {
  const none = { batch: [], turn: [] };
  it.each<[ToolCategory, ToolCategory[], ToolCategory[], boolean]>([
    ["safe", [], [], true],
    ["safe", ["dangerous"], ["dangerous"], true],
    ["async", ["terminal"], ["terminal"], false],
    ["terminal", ["safe"], ["safe"], true],
    ["terminal", ["terminal"], ["terminal"], false],
    ["dangerous", [], [], true],
    ["dangerous", [], ["dangerous"], false],
    ["dangerous", ["safe", "async"], ["safe", "async"], true],
  ])("%s after %j of %j may run: %s", (category, batch, turn, mayRun) => {
    expect(outOfOrder(category, { batch, turn }) === null).toBe(mayRun);
    expect(outOfOrder(category, none)).toBe(null);
  });

  it("block what follows a terminal call, which ends the turn", async () => {
    const { call } = gated(named("look", "safe"), named("say", "terminal"));
    const results = [await call("look"), await call("say"), await call("look"), await call("say", { a: 1 })];
    expect(results.map(({ status, endTurn }) => [status, endTurn])).toEqual([
      ["ok", undefined],
      ["ok", true],
      ["blocked", undefined],
      ["blocked", undefined],
    ]);
  });

  it("let the model go on after a terminal call that failed, in its next answer", async () => {
    const fails = probe(() => ({ ok: false, error: "no" }), { name: "say", category: "terminal", hints: COUNTS });
    const { call, answerBegins } = gated(fails, named("look", "safe"));
    expect((await call("say")).endTurn).toBe(undefined);
    answerBegins();
    expect((await call("look")).status).toBe("ok");
  });

  it("allow one dangerous call per turn in all", async () => {
    const { call, answerBegins } = gated(named("ban", "dangerous"), named("purge", "dangerous"));
    expect((await call("ban")).status).toBe("ok");
    answerBegins();
    expect(await call("purge")).toMatchObject({
      status: "blocked",
      error: expect.stringContaining("one dangerous call"),
    });
  });

  it("let only calls that read run beside each other", () => {
    const tools = [named("r", "safe"), named("a", "async", READS), named("p", "async", PUTS), named("t", "terminal")];
    expect(tools.map(runsTogether)).toEqual([true, true, false, false]);
  });
});

describe("the loop detector", () => {
  it("refuses after two equal runs with equal results, and ends the turn at the sixth call", async () => {
    const { call } = gated(named("look", "safe"));
    const results = [];
    for (let n = 0; n < 6; n++) results.push(await call("look", { at: "door" }));
    expect(results.map(({ status, endTurn }) => [status, endTurn ?? false])).toEqual([
      ["ok", false],
      ["ok", false],
      ["blocked", false],
      ["blocked", false],
      ["blocked", false],
      ["blocked", true],
    ]);
    expect(results[2]?.error).toContain("the same result twice");
  });

  it("takes other arguments in another order for the same call, and another call for a new beginning", async () => {
    const { call } = gated(named("look", "safe"), named("go", "safe"));
    await call("look", { a: 1, b: 2 });
    await call("look", { b: 2, a: 1 });
    expect((await call("look", '{"b":2,"a":1}')).status).toBe("blocked");
    expect((await call("go")).status).toBe("ok");
    expect((await call("look", { a: 1, b: 2 })).status).toBe("ok");
  });

  it("lets calls go on whose results change", async () => {
    const { tool } = counting({ category: "safe", hints: READS });
    const { call } = gated(tool);
    for (let n = 0; n < 20; n++) expect((await call("probe")).status).toBe("ok");
  });

  it("counts failures like successes, but not calls that were never allowed", async () => {
    const { call } = gated(probe(() => ({ ok: false, error: "no" })));
    expect([(await call("probe")).status, (await call("nothing")).status, (await call("probe")).status]).toEqual([
      "error",
      "not_found",
      "error",
    ]);
    expect((await call("probe")).status).toBe("blocked");
  });
});

describe("what a tool needs", () => {
  const there = {
    botToken: false,
    permissions: new Set(["SEND_MESSAGES"]),
    modelAbilities: new Set(["vision"]),
    settings: new Set<string>(),
  };
  const needy = probe(() => ({ ok: true, data: 1 }), {
    requires: {
      botToken: true,
      permissions: ["SEND_MESSAGES", "MANAGE_MESSAGES"],
      modelAbilities: ["vision"],
      settings: ["search_key"],
    },
  });

  it("keeps it from being offered, and from running when it is called all the same", async () => {
    const runtime = createToolRuntime(createToolRegistry([needy, named("look", "safe")]), { availability: there });
    expect(runtime.schemas().map(({ name }) => name)).toEqual(["look"]);
    expect(await benchWith({ availability: there }, needy).call()).toEqual({
      ok: false,
      status: "denied",
      error: "probe needs a bot token and the permission MANAGE_MESSAGES and the setting search_key",
    });
    const all = {
      ...there,
      botToken: true,
      permissions: new Set(["SEND_MESSAGES", "MANAGE_MESSAGES"]),
      settings: new Set(["search_key"]),
    };
    expect((await benchWith({ availability: all }, needy).call()).status).toBe("ok");
  });

  it("is handed to it by name, and nothing else that there is", async () => {
    const names: string[] = [];
    const look = (context: object) => {
      names.push(...Object.keys(context).filter((name) => ["fetch", "other"].includes(name)));
      return { ok: true as const, data: null };
    };
    const online = probe((_input, context) => look(context), { requires: { services: ["fetch"] } });
    const offline = probe((_input, context) => look(context), { name: "offline" });
    const services = { fetch: () => Promise.reject(new Error("unused")), other: 1 };
    const served = benchWith({ services }, online, offline);
    expect((await served.call("{}", {}, "probe")).status).toBe("ok");
    expect((await served.call("{}", {}, "offline")).status).toBe("ok");
    expect(names).toEqual(["fetch"]);
    expect(await benchWith({}, online).call()).toEqual({
      ok: false,
      status: "denied",
      error: "probe needs a way to the network",
    });
  });
});

describe("a dangerous call", () => {
  const ban = named("ban", "dangerous");
  const asked = (verdict: ApprovalVerdict) =>
    benchWith({ approvals: { verdict: () => verdict } }, ban).call({ user: "21" }, {}, "ban");

  it("waits for a person, in words that a person can judge", async () => {
    expect(await asked({ kind: "open" })).toEqual({
      ok: false,
      status: "needs_approval",
      error: "a person has to approve this call before it runs",
      data: { tool: "ban", summary: 'ban with user = "21"', expiresInMs: 600_000 },
    });
    expect((await benchWith({}, ban).call({}, {}, "ban")).status).toBe("needs_approval");
  });

  it.each<[ApprovalVerdict, string]>([
    [{ kind: "approved", by: "21" }, "ok"],
    [{ kind: "denied", by: "21" }, "denied"],
    [{ kind: "expired" }, "denied"],
  ])("with the verdict %j is %s", async (verdict, status) => {
    expect((await asked(verdict)).status).toBe(status);
  });

  it("that is not valid asks nobody, and one that waits uses up nothing", async () => {
    let verdict: ApprovalVerdict = { kind: "open" };
    let state = freshGateState();
    const gate = createTurnGate(
      () => state,
      (next) => {
        state = next;
      },
    );
    const ledger = new MemoryLedger();
    const b = benchWith({ approvals: { verdict: () => verdict }, gate, ledger }, ban);
    expect((await b.call("[]", {}, "ban")).status).toBe("invalid_input");
    expect([(await b.call({}, {}, "ban")).status, state, ledger.entries.size]).toEqual([
      "needs_approval",
      freshGateState(),
      0,
    ]);
    verdict = { kind: "approved", by: "21" };
    expect([(await b.call({}, {}, "ban")).status, state.turn, ledger.entries.size]).toEqual(["ok", ["dangerous"], 1]);
  });

  it("is summed up within bounds", () => {
    const call = { tool: ban, input: { text: "x".repeat(5000) } };
    expect(summaryOf(call)).toHaveLength(600);
    expect(summaryOf({ tool: ban, input: {} })).toBe("ban");
  });
});

describe("an approval", () => {
  const request: ApprovalRequest = { ownerId: "21", askedAt: 1000, decision: null };
  const click = { userId: "21", moderator: false, approved: true };

  it("is decided by the owner or a moderator, once, within ten minutes", () => {
    const decided = { ...request, decision: { approved: true, by: "21" } };
    const atEnd = 1000 + APPROVAL_LIFE_MS;
    expect([
      decideClick(request, click, 1000),
      decideClick(request, { ...click, userId: "99" }, 1000),
      decideClick(request, { userId: "99", moderator: true, approved: false }, atEnd - 1),
      decideClick(request, click, atEnd),
      decideClick(decided, { ...click, approved: false }, 2000),
      decideClick(decided, click, atEnd),
    ]).toEqual([
      { kind: "decided", request: decided },
      { kind: "not_allowed" },
      { kind: "decided", request: { ...request, decision: { approved: false, by: "99" } } },
      { kind: "expired" },
      { kind: "already_decided" },
      { kind: "already_decided" },
    ]);
  });

  it("is open, expired, approved or denied", () => {
    const by = (approved: boolean) => ({ ...request, decision: { approved, by: "9" } });
    expect([
      verdictOn(null, 0),
      verdictOn(request, 1000),
      verdictOn(request, 601_000),
      verdictOn(by(true), 9e9),
      verdictOn(by(false), 0),
    ]).toEqual([
      { kind: "open" },
      { kind: "open" },
      { kind: "expired" },
      { kind: "approved", by: "9" },
      { kind: "denied", by: "9" },
    ]);
  });
});
