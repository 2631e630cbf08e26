// A channel's settings as one of several scopes: what it inherits from its server, which models its turns may use, and who changed
// what.
import { describe, expect, it } from "vitest";
import {
  effectiveSettings,
  maxMessagesPerReply,
  noteParent,
  noteScope,
  orderedModels,
  settingsInput,
  summaryModel,
} from "../../../durable-objects/settings/effective-settings.ts";
import { remembering } from "../../../durable-objects/store/remembering.ts";
import { explainSetting } from "../../../src/channel/explain-settings.ts";
import { parseConfig } from "../../../src/config.ts";
import type { ScopeNote } from "../../../src/core/state/rpc.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { VARIABLES } from "../../support/endpoint-harness.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const SERVER = "1180000000000000001";
const ROLE = "1180000000000000077";
const MODELS = [
  { id: "quick", model: "m1" },
  { id: "deep", model: "m2", onlyServers: [SERVER] },
  { id: "last", model: "m3" },
];
const note = (settings: Record<string, string>) => ({ settings, isLimited: false });

function channel(own: Record<string, string> = {}, variables: Record<string, string> = {}) {
  const parsed = parseConfig({ ...VARIABLES, MODELS: JSON.stringify(MODELS), ...variables });
  if (!parsed.ok) throw new Error(parsed.problems.join());
  const store = memoryStore();
  for (const [key, value] of Object.entries(own)) store.putSetting(key, value);
  return { store, config: parsed.config, models: ["m1", "m2", "m3"] as never };
}

it("an answer has as many messages as the setting allows, and at most six if the bot is a guest", () => {
  const ports = channel({ max_messages: "8" });
  const most = [true, undefined, false].map((botIsHere) =>
    maxMessagesPerReply(ports, { ...testRequest("1"), ...(botIsHere !== undefined && { botIsHere }) }),
  );
  expect(most).toEqual([8, 8, 6]);
});

it("the parent's settings reschedule the deletion only if they change how long words are kept", () => {
  const ports = channel();
  ports.store.saveLock({ ...ports.store.lock(), retentionAt: 5 });
  noteParent(ports, { follow_up: "queue" });
  expect(ports.store.lock().retentionAt).toBe(5);
  noteParent(ports, { follow_up: "queue", keep_days: "7" });
  expect(ports.store.lock().retentionAt).toBe(0);
});

it("a note whose lists have both changed is kept", () => {
  const ports = channel();
  for (const id of ["1", "2"]) noteScope(ports, { ...note({}), leftOut: [id], withFacts: [id] });
  expect(ports.store.scopeNote()).toMatchObject({ leftOut: ["2"], withFacts: ["2"] });
});

describe("the server's settings", () => {
  it("apply in a channel as the last request stated them, and are shown as the server's", () => {
    const ports = channel({ user_turns_per_day: "9" });
    noteScope(ports, note({ user_turns_per_day: "5", follow_up: "queue" }));
    expect(effectiveSettings(ports)).toMatchObject({ user_turns_per_day: 5, follow_up: "queue" });
    expect(explainSetting("follow_up", settingsInput(ports)).source).toBe("server");
    noteScope(ports, note({}));
    expect(effectiveSettings(ports)).toMatchObject({ user_turns_per_day: 9, follow_up: "interrupt" });
  });

  it("are computed once, until something is set in any scope or the program gets other variables", () => {
    const { config, store } = channel();
    const ports = { config, store: remembering(store) };
    const first = effectiveSettings(ports);
    const again = effectiveSettings(ports);
    ports.store.putSetting("user_turns_per_day", "9");
    const own = effectiveSettings(ports);
    noteParent(ports, { user_turns_per_day: "4" });
    const parents = effectiveSettings(ports);
    noteScope(ports, note({ user_turns_per_day: "3" }));
    const servers = effectiveSettings(ports);
    expect(again).toBe(first);
    expect([first, own, parents, servers].map((one) => one.user_turns_per_day)).toEqual([0, 9, 4, 3]);
    ports.store.putSetting("model", "deep");
    const known = effectiveSettings(ports).model;
    const fewer = { ...config, models: [config.models[0]] as const };
    expect([known, effectiveSettings({ ...ports, config: fewer }).model]).toEqual(["deep", null]);
  });

  it("are not reverted by an endpoint that read them before they were changed", () => {
    const ports = channel();
    noteScope(ports, note({ follow_up: "queue", changed_at: "5" }));
    noteScope(ports, { ...note({ changed_at: "4" }), isLimited: true });
    expect(ports.store.scopeNote()).toEqual({ settings: { follow_up: "queue", changed_at: "5" }, isLimited: true });
    noteScope(ports, note({ changed_at: "6" }));
    expect(ports.store.scopeNote()).toEqual(note({ changed_at: "6" }));
  });

  it("don't let an older copy include people in what is overheard who have opted out since", () => {
    const ports = channel();
    noteScope(ports, { ...note({ changed_at: "5" }), leftOut: ["2"], withFacts: ["2"] });
    noteScope(ports, { ...note({ changed_at: "4" }), leftOut: [], withFacts: [] });
    expect(ports.store.scopeNote()).toMatchObject({ leftOut: ["2"], withFacts: ["2"] });
    noteScope(ports, { ...note({ changed_at: "5" }), leftOut: [], withFacts: [] });
    expect(ports.store.scopeNote()).toMatchObject({ leftOut: [], withFacts: [] });
  });

  it("bring deletion forward when they shorten how long things are kept", () => {
    const ports = channel();
    ports.store.saveLock({ ...ports.store.lock(), retentionAt: 99 });
    noteScope(ports, note({ follow_up: "queue" }));
    const before = ports.store.lock().retentionAt;
    noteScope(ports, note({ keep_days: "1" }));
    expect([before, ports.store.lock().retentionAt]).toEqual([99, 0]);
  });
});

describe("settings that were changed elsewhere since the channel was last used", () => {
  const person = { userId: "10", userName: "x", moderator: false };
  const turn = (id: string, userId: string) => ({ ...testRequest(id, userId), guildId: SERVER, botIsHere: true });

  it("decide who may stop an answer", async () => {
    const c = createChannelHarness();
    c.submit({ trigger: turn("1", "20") });
    await c.drain();
    const stop = (interactionId: string, scope: ScopeNote) =>
      c.stop({ ...person, interactionId, kind: "stop", turnId: null, scope }).result;
    expect([stop("2", note({})), stop("3", note({ kill_policy: "anyone" }))]).toEqual(["not_allowed", "stopped"]);
  });

  it.each([
    ["a person who is denied", { deny_users: "100000000000000010" }, "not_allowed"],
    ["a person with a role that is denied", { deny_roles: ROLE }, "not_allowed"],
    ["a person who is not among those who may ask", { allow_users: "100000000000000099" }, "stopped"],
  ])("decide, where anyone may stop an answer, whether %s may", async (_, lists, result) => {
    const c = createChannelHarness();
    c.submit({ trigger: turn("1", "20") });
    await c.drain();
    const scope = note({ kill_policy: "anyone", ...lists });
    const by = { ...person, userId: "100000000000000010", roles: [ROLE], scope };
    expect(c.stop({ ...by, interactionId: "2", kind: "kill", turnId: null }).result).toBe(result);
    // Their own answers and moderators follow other rules.
    const stop = { ...by, kind: "stop", turnId: "1" } as const;
    expect(c.stop({ ...stop, interactionId: "3", userId: "20" }).result).not.toBe("not_allowed");
    expect(c.stop({ ...stop, interactionId: "4", moderator: true }).result).not.toBe("not_allowed");
  });

  it.each([
    ["a role that is no longer an approver", {}, "not_allowed"],
    ["a person who is denied by now", { approvers: ROLE, deny_roles: ROLE }, "kept_out"],
    ["an approver", { approvers: ROLE }, "approved"],
  ])("decide whether a click on Approve by %s counts", async (_, settings, result) => {
    const purge = tool("purge", async () => ({ ok: true, data: "purged" }), { category: "dangerous" });
    const c = createChannelHarness({ tools: [purge] });
    c.submit({ trigger: { ...turn("1", "20"), receivedAt: c.clock.now() }, scope: note({ approvers: ROLE }) });
    await c.clock.advance(5000);
    c.answer([end([["purge", { note: "all" }]])]);
    await c.clock.advance(5000);
    const press = { applicationId: "1", token: "t", messageId: "5" };
    const click = { ...person, interactionId: "2", turnId: "1", approved: true, roles: [ROLE], press };
    expect(c.approve({ ...click, scope: note(settings) }).result).toBe(result);
  });

  it("refuse Regenerate to a moderator who is denied by now", async () => {
    const c = createChannelHarness();
    c.submit({ trigger: { ...turn("1", "20"), receivedAt: c.clock.now() } });
    await c.clock.advance(5000);
    c.answer([text("One."), end()]);
    await c.clock.advance(5000);
    const submission = { trigger: { ...turn("2", "10"), moderator: true }, roles: [ROLE] };
    const scope = note({ deny_roles: ROLE });
    const again = c.again({ turnId: "1", replaces: true, submission: { ...submission, scope } });
    expect(again).toEqual({ kind: "refused", refusal: { reason: "denied" } });
  });
});

describe("a model for some servers", () => {
  it.each([
    ["is not tried elsewhere, even if it was chosen there", "deep", "5", ["m1", "m3"]],
    ["is not tried in direct messages", null, null, ["m1", "m3"]],
    ["is tried in its server", null, SERVER, ["m1", "m2", "m3"]],
    ["is tried first in its server when it was chosen", "deep", SERVER, ["m2", "m1", "m3"]],
  ])("%s", (_, model, guildId, order) => {
    expect(orderedModels(channel(model === null ? {} : { model }), { guildId })).toEqual(order);
  });
});

describe("the model that summarizes", () => {
  it.each([
    ["is the last one", undefined, "5", "m3"],
    ["is the one of SUMMARY_MODEL", "quick", "5", "m1"],
    ["is used in its server only", "deep", SERVER, "m2"],
    ["elsewhere is the last one that may be used there", "deep", "5", "m3"],
    ["in direct messages too", "deep", null, "m3"],
  ])("%s", (_, id, guildId, model) => {
    expect(summaryModel(channel({}, id === undefined ? {} : { SUMMARY_MODEL: id }), { guildId })).toBe(model);
  });

  it("must be one of MODELS", () => {
    expect(() => channel({}, { SUMMARY_MODEL: "dear" })).toThrow("SUMMARY_MODEL is not the id of a model");
  });
});

describe("a channel's history", () => {
  it("records who changed what, once for a repeated interaction, and drops a person's id at their request", async () => {
    const c = createChannelHarness();
    const by = { userId: "10", guildId: SERVER };
    const set = (interactionId: string, value: string | null) =>
      c.port.change({ key: "max_messages", value, by, interactionId });
    await set("1", "3");
    await set("2", null);
    await set("1", "3");
    await c.port.change({ key: "notices", value: "false" });
    const at = c.clock.now();
    const changes = [
      { at, by: "10", key: "max_messages", old: "3", new: null },
      { at, by: "10", key: "max_messages", old: null, new: "3" },
    ];
    expect(await c.port.history()).toEqual(changes);
    expect(c.store.settings()).toEqual({ notices: "false" });
    c.forgetPerson("10");
    expect(await c.port.history()).toEqual(changes.map((one) => ({ ...one, by: null })));
  });
});
