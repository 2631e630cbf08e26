// What may stand between a good call and its run: something missing, a person's agreement.
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
import { runsTogether, type Tool, type ToolCategory } from "../../src/toolkit/tool.ts";
import { benchWith, COUNTS, MemoryLedger, PUTS, probe, READS } from "./arrange.ts";

const named = (name: string, category: ToolCategory, hints = category === "safe" ? READS : COUNTS): Tool =>
  probe(() => ({ ok: true, data: name }), { name, category, hints, input: looseObject({}) });

it("only calls that read run beside each other", () => {
  const tools = [named("r", "safe"), named("a", "async", READS), named("p", "async", PUTS), named("t", "terminal")];
  expect(tools.map(runsTogether)).toEqual([true, true, false, false]);
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
      error:
        "probe needs the bot's own token and its membership here and the permission MANAGE_MESSAGES and the setting search_key",
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
    const ledger = new MemoryLedger();
    const b = benchWith({ approvals: { verdict: () => verdict }, ledger }, ban);
    expect((await b.call("[]", {}, "ban")).status).toBe("invalid_input");
    expect([(await b.call({}, {}, "ban")).status, ledger.entries.size]).toEqual(["needs_approval", 0]);
    verdict = { kind: "approved", by: "21" };
    expect([(await b.call({}, {}, "ban")).status, ledger.entries.size]).toEqual(["ok", 1]);
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
