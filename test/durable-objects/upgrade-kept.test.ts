// Everything except turns in an older program's channel database (test/fixtures/channel-v6.sql), read by this program:
// settings, personas, memories, notes, windows, budgets, answers, remote tools, and the schema itself. Turns: upgrade.test.ts.
import { describe, expect, it } from "vitest";
import { openManifests } from "../../durable-objects/store/manifests.ts";
import { openMemories, openNotes } from "../../durable-objects/store/memories.ts";
import { migrations } from "../../durable-objects/store/migrations.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import type { SqliteStorage } from "../../durable-objects/store/sqlite-storage.ts";
import { deliberateState } from "../../src/channel/deliberate.ts";
import { personaInUse, readPersonas } from "../../src/channel/personas.ts";
import { resolveSettings } from "../../src/channel/setting-scopes.ts";
import { isNoTurn } from "../../src/core/money/report.ts";
import { createRemoteTools } from "../../src/mcp/remote-tools.ts";
import { createScrubber } from "../../src/toolkit/run/scrub.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { olderChannel, olderDatabase, restedChannel, says } from "../support/older-channel.ts";
import { testRequest } from "../support/store-contract.ts";
import { end, text } from "../support/turn-script.ts";

const MIDNIGHT = Date.UTC(2030, 0, 2);

describe("an older channel's", () => {
  it("settings, personas and triggers apply as they were set, here and in the parent", () => {
    const { c } = olderChannel();
    const [own, parent] = [c.store.settings(), c.store.parentSettings()];
    const usual = resolveSettings({ own: {}, parent: {}, server: {}, modelIds: [] });
    expect(resolveSettings({ own, parent, server: {}, modelIds: [] })).toEqual({
      ...usual,
      system_prompt: "You are Parley.",
      follow_up: "queue",
      kill_policy: "anyone",
      link_previews: true,
      user_tokens_per_day: 1000,
    });
    expect(parent).toEqual({ kill_policy: "anyone", model: "gone" });
    const ada = { name: "Ada", prompt: "Counts everything.", avatarUrl: "https://example.org/ada.png" };
    const bob = { name: "Bob", prompt: "Doubts everything.", avatarUrl: null };
    expect([readPersonas(own, parent), personaInUse(own, parent)]).toEqual([[ada, bob], ada]);
    const mode = { on: true, turns: 3, triggers: [{ tool: "count", kind: "phrase", text: "tally" }] };
    expect(["10", "40"].map((id) => deliberateState({ own, parent, defaultTurns: 4 }, id))).toEqual([
      { ...mode, personal: "follow", active: true },
      { ...mode, personal: "off", active: false },
    ]);
  });

  it("persona answers the next message, and reads other personas' words as theirs", async () => {
    const { sent, submit, moment, lines, answer } = await restedChannel();
    submit("211", "20", "hm");
    await moment();
    expect(lines(2).slice(-7)).toEqual([
      "> Ben: Look, tally, hold and put. When was this posted?",
      "> [Parley · bot]\nLet me see.",
      "> [Parley · bot]\nThere.",
      "> [Zoe · u1]\nAnd me?",
      "> [Parley · bot]\nYou too.",
      expect.stringMatching(/^> Your notes .*:\nTheo plans a hike with Mira\.$/),
      "> [user 20 · u2]\nhm",
    ]);
    await answer(says("Two."));
    expect(sent("token-211").at(-1)).toBe("edit @original: **Ada:** Two.");
  });

  it("memories are found by their words, and a forgotten number is not reused", () => {
    const { database } = olderChannel();
    const memories = openMemories(database);
    const at = Date.UTC(2030, 0, 1, 12, 0, 5);
    const mira = { number: 1, text: "Mira is allergic to nuts and likes hiking", userId: "10", at };
    const test = { number: 2, text: "日本語のテストは火曜日です", userId: "10", at };
    const found = ["allergies of Mira", "hike", "火曜", "quotes", ""].map((words) => memories.find(words, 10));
    expect(found).toEqual([[mira], [mira], [test], [], [test, mira]]);
    expect(memories.add({ text: "new", userId: "20", at })).toBe(4);
    expect(openNotes(database).read()).toBe("Theo plans a hike with Mira.");
  });

  it("affordance window keeps its counts, and includes what the running turn used", async () => {
    const { c, wake, answer, submit, moment, offered } = olderChannel();
    const trigger = { ...testRequest("1", "20"), text: "" };
    const lefts = async () => {
      const { active, tools } = await c.tools({ trigger });
      return [active, ...tools.flatMap(({ name, turnsLeft }) => (turnsLeft > 0 ? [`${name} ${turnsLeft}`] : []))];
    };
    expect(c.store.lock().window).toEqual({ count: 1 });
    expect(await lefts()).toEqual([true, "count 3", "look 3", "reveal_message_metadata 3"]);
    await wake();
    await answer(says("There."));
    await answer(says("You too."));
    expect(await lefts()).toEqual([true, "count 2", "look 2", "put 2", "reveal_message_metadata 2"]);
    submit("212", "20", "hm");
    await moment();
    expect(offered()).toEqual(["count", "look", "put", "reveal_message_metadata"]);
  });

  it("budgets continue with today's usage", async () => {
    const { c, wake, answer, submit } = olderChannel();
    const usage = (id: string) => c.usage(id).used;
    const channel = { turns: 9, tokens: 144 };
    expect(["10", "20", "30", "40"].map(usage)).toMatchObject(
      [
        { turns: 3, tokens: 48 },
        { turns: 2, tokens: 36 },
        { turns: 3, tokens: 48 },
        { turns: 1, tokens: 12 },
      ].map((user) => ({ user, channel })),
    );
    await wake();
    await answer([text("There."), { ...end(), usage: { inputTokens: 900, outputTokens: 52 } } as ModelEvent]);
    expect(submit("213", "30", "more")).toEqual({
      kind: "refused",
      refusal: { reason: "budget_spent", of: "user", unit: "tokens", limit: 1000, resetsAt: MIDNIGHT },
    });
  });

  it("answers to clicks and commands are repeated, even if they would be different now", async () => {
    const { c, wake, states, click } = olderChannel();
    expect(click("118", { userId: "20", moderator: true })).toEqual({ result: "not_allowed" });
    const stop = { interactionId: "119", kind: "stop", turnId: "113", userId: "40", userName: "Zoe" } as const;
    expect(c.stop({ ...stop, moderator: true })).toEqual({
      result: "stopped",
      ofUserId: "40",
      what: "queued",
      cleared: 0,
    });
    expect(c.deliberate({ interactionId: "102", userId: "10", change: { what: "mode", on: false } })).toEqual({
      ok: true,
      state: { on: true, personal: "follow", active: true, turns: 4, triggers: [] },
    });
    await wake();
    expect(states()).toEqual({ running: "112", queue: ["113"], parked: ["110"], closing: [] });
  });

  it("remote tools are those that their server listed before, without another request to it", async () => {
    const { c, database } = olderChannel();
    const server = { id: "it", url: "http://mcp.test/mcp", headers: {}, tools: null, category: {} };
    const remote = createRemoteTools(
      [server],
      {
        fetch: () => Promise.reject(new Error("nobody asks")),
        after: c.clock.timers.after,
        keepAlive: () => {},
        version: "0.0.1",
        clock: c.clock.now,
        scrub: createScrubber(),
        showPictures: () => {},
        log: (line) => expect(line).toBe(""),
        store: openManifests(database),
      },
      new Set(),
    );
    const tools = await remote(new AbortController().signal);
    expect(tools.map(({ name, description, category }) => [name, description, category])).toEqual([
      ["it_look_up", "Does look_up.", "async"],
      ["it_burn", "Does burn.", "dangerous"],
    ]);
  });
});

describe("the schema", () => {
  const versionOf = (database: SqliteStorage) =>
    database.sql
      .exec("SELECT version FROM schema")
      .toArray()
      .map(({ version }) => version);

  it("is upgraded from version 6 to this program's", () => {
    const database = olderDatabase();
    expect(versionOf(database)).toEqual([6]);
    openSqliteStore(database);
    expect(versionOf(database)).toEqual([migrations.length]);
  });

  it("of version 6 is still what the first six migrations make", () => {
    const fresh = nodeSqlite();
    fresh.sql.exec("CREATE TABLE schema (version INTEGER NOT NULL)");
    for (const step of migrations.slice(0, 6)) fresh.sql.exec(step);
    const [made, kept] = [fresh, olderDatabase()].map(({ sql }) =>
      sql.exec("SELECT name, sql FROM sqlite_schema ORDER BY name").toArray(),
    );
    expect(kept).toEqual(made);
  });

  it("of a newer program is refused, and nothing is changed", () => {
    const database = olderDatabase();
    const newer = migrations.length + 1;
    database.sql.exec("UPDATE schema SET version = ?", newer);
    expect(() => openSqliteStore(database)).toThrow(
      `the stored data has version ${newer}, this program knows ${migrations.length}: deploy the newer one`,
    );
    expect(versionOf(database)).toEqual([newer]);
  });
});

describe("an older channel's people", () => {
  it("are reported at the first wake, without an event, each to the scope that counts them there, with no usage", async () => {
    const { c } = olderChannel();
    expect(c.alarmAt()).not.toBeNull();
    const people = c.store.reports(99).filter(isNoTurn);
    const placed = people.map(({ userId, channelId, guildId }) => `${userId} in ${channelId} of ${guildId}`);
    expect(placed.sort()).toEqual(["10", "20", "30", "40"].map((id) => `${id} in 2 of null`));
    expect(new Set(people.map(({ usage }) => JSON.stringify(usage))).size).toBe(1);
    expect(people[0]?.usage).toEqual({ inputTokens: 0, outputTokens: 0, modelCalls: 0 });
    await c.clock.advance(60_000);
    c.runAlarm();
    await c.clock.advance(60_000);
    expect(c.store.reports(99).filter(isNoTurn)).toEqual([]);
  });
});
