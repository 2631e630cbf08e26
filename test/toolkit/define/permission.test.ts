// What can keep a valid call from running: a missing requirement, or the approval of a person.
import { describe, expect, it } from "vitest";
import { looseObject } from "zod";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { runsTogether, type Tool, type ToolCategory } from "../../../src/toolkit/define/tool.ts";
import { ToolRuntime } from "../../../src/toolkit/run/runtime.ts";
import type { ApprovalVerdict, CallWords, CheckedCall } from "../../../src/toolkit/run/runtime-ports.ts";
import { benchWith, COUNTS, MemoryLedger, PUTS, probe, READS } from "../arrange.ts";

const named = (name: string, category: ToolCategory, hints = category === "safe" ? READS : COUNTS): Tool =>
  probe(() => ({ ok: true, data: name }), { name, category, hints, input: looseObject({}) });

it("only calls that read run in parallel", () => {
  const tools = [named("r", "safe"), named("a", "async", READS), named("p", "async", PUTS), named("t", "terminal")];
  expect(tools.map(runsTogether)).toEqual([true, true, false, false]);
});

describe("a tool's requirements", () => {
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

  it("keep it from being offered, and from running if it is called anyway", async () => {
    const runtime = new ToolRuntime(createToolRegistry([needy, named("look", "safe")]), { availability: there });
    expect(runtime.schemas().map(({ name }) => name)).toEqual(["look"]);
    expect(await benchWith({ availability: there }, needy).call()).toEqual({
      ok: false,
      status: "denied",
      error:
        "probe needs a bot token and membership here and the Manage Messages permission and the search_key setting",
    });
    const all = {
      ...there,
      botToken: true,
      permissions: new Set(["SEND_MESSAGES", "MANAGE_MESSAGES"]),
      settings: new Set(["search_key"]),
    };
    expect((await benchWith({ availability: all }, needy).call()).status).toBe("ok");
  });

  it("give it the services that it names, and no others", async () => {
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
      error: "probe needs network access",
    });
  });
});

describe("a dangerous call", () => {
  const ban = named("ban", "dangerous");
  const people = (verdict: () => ApprovalVerdict) => {
    const asked: unknown[] = [];
    const ask = ({ tool, args }: CheckedCall, words: CallWords) => void asked.push([tool.name, args, words]);
    return { asked, approvals: { verdict, ask } };
  };

  it("waits for a person's approval, described in words that they can judge", async () => {
    const { asked, approvals } = people(() => "open");
    expect(await benchWith({ approvals }, ban).call({ user: "21" }, {}, "ban")).toEqual({
      ok: false,
      status: "needs_approval",
      error: "a person must approve this call before it runs, and nobody can be asked here",
    });
    expect(asked).toEqual([["ban", '{"user":"21"}', { summary: 'ban with user = "21"' }]]);
    expect((await benchWith({}, ban).call({}, {}, "ban")).status).toBe("needs_approval");
  });

  it.each<[ApprovalVerdict, string]>([
    ["approved", "ok"],
    ["denied", "denied"],
    ["expired", "denied"],
    ["no_approver", "denied"],
    ["spent", "blocked"],
  ])("with the verdict %s ends as %s, and no one is asked again", async (verdict, status) => {
    const { asked, approvals } = people(() => verdict);
    expect([(await benchWith({ approvals }, ban).call({}, {}, "ban")).status, asked]).toEqual([status, []]);
  });

  it("asks no one when it is invalid, and has no ledger entry while it waits", async () => {
    let verdict: ApprovalVerdict = "open";
    const { asked, approvals } = people(() => verdict);
    const ledger = new MemoryLedger();
    const b = benchWith({ approvals, ledger }, ban);
    expect([(await b.call("[]", {}, "ban")).status, asked]).toEqual(["invalid_input", []]);
    expect([(await b.call({}, {}, "ban")).status, ledger.entries.size]).toEqual(["needs_approval", 0]);
    verdict = "approved";
    expect([(await b.call({}, {}, "ban")).status, ledger.entries.size]).toEqual(["ok", 1]);
  });

  it("is summarized within limits", async () => {
    const { asked, approvals } = people(() => "open");
    const b = benchWith({ approvals }, ban);
    for (const input of [{ user: "x".repeat(5000) }, {}]) await b.call(input, {}, "ban");
    const words = asked.map((one) => (one as [string, string, CallWords])[2]);
    const cut = { summary: expect.stringMatching(/^ban with user = "x{582}…$/), isCut: true };
    expect(words).toEqual([cut, { summary: "ban" }]);
  });
});
