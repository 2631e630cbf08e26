// Rows at their size limit and beyond it: in every store, and in a turn that would write one.
import { describe, expect, it } from "vitest";
import { openManifests } from "../../../durable-objects/store/manifests.ts";
import { openMemories, openNotes } from "../../../durable-objects/store/memories.ts";
import { openReminders } from "../../../durable-objects/store/reminders.ts";
import { checkRow, MAX_ROW_BYTES, RowTooLarge } from "../../../durable-objects/store/row-size.ts";
import { openSqliteStore } from "../../../durable-objects/store/sqlite.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const HUGE = "x".repeat(MAX_ROW_BYTES + 1);

describe("a row", () => {
  it.each([
    ["of exactly 1 MiB", ["x".repeat(MAX_ROW_BYTES - 1), "y"], true],
    ["one byte larger", ["x".repeat(MAX_ROW_BYTES), "y"], false],
    ["of 1 MiB in UTF-8", ["é".repeat(MAX_ROW_BYTES / 2), null, 7], true],
    ["one character larger in UTF-8", ["é".repeat(MAX_ROW_BYTES / 2 + 1), null, 7], false],
  ])("%s: %#", (_, values, fits) => {
    const check = () => checkRow("messages", values);
    if (fits) expect(check).not.toThrow();
    else expect(check).toThrow(RowTooLarge);
  });
});

describe("a store refuses a row that is too large, before the storage does", () => {
  const storage = nodeSqlite();
  openSqliteStore(storage);
  it.each<[string, () => unknown]>([
    ["of manifests", () => openManifests(storage).putManifest("it", HUGE)],
    ["of memories", () => openMemories(storage).add({ text: HUGE, userId: "7", at: 0 })],
    ["of notes", () => openNotes(storage).write(HUGE)],
    [
      "of reminders",
      () =>
        openReminders(storage).insert("k", {
          userId: "7",
          dueAt: 1,
          setAt: 0,
          text: HUGE,
          origin: testRequest("1"),
        }),
    ],
  ])("%s", (_, write) => {
    expect(write).toThrow(RowTooLarge);
  });
});

describe("a turn that would write a row that is too large", () => {
  const stash = tool(
    "stash",
    (context) => {
      (context as unknown as { stash: (key: string, item: object) => void }).stash("k", { text: HUGE, images: [] });
      return { ok: true, data: { type: "context_restart_image", pending_context_key: "k" } };
    },
    { requires: { services: ["stash"] } },
  );
  const says: ModelEvent[] = [text("Hello."), end()];

  it("ends visibly with what it has stored and frees the lock, and the next person is answered", async () => {
    const database = nodeSqlite();
    const c = createChannelHarness({ tools: [stash], database });
    c.submit({ trigger: { ...testRequest("1", "7"), receivedAt: c.clock.now() } });
    c.submit({ trigger: { ...testRequest("2", "8"), receivedAt: c.clock.now() } });
    await c.drain();
    c.answer([text("Let me look."), end(["stash"])]);
    await c.clock.advance(10_000);
    expect(c.store.turn("1")).toMatchObject({ state: "finished", status: "error" });
    expect(c.store.messagesInTurn("1").map(({ role, text: said }) => [role, said])).toEqual([
      ["user", expect.any(String)],
      ["assistant", "Let me look."],
    ]);
    expect(c.shown().get(testRequest("1").token ?? "")).toMatch(/^Let me look\.\n\n-# ⚠️ Something went wrong/);
    expect([c.store.lock().turnId, c.answer(says)]).toEqual(["2", true]);
    await c.clock.advance(10_000);
    expect(c.store.turn("2")?.status).toBe("completed");
    expect([c.alarmAt(), c.store.lock().turnId]).toEqual([null, null]);
  });

  it("only at its end keeps what it has stored, and says that something went wrong", async () => {
    const c = createChannelHarness({ database: nodeSqlite() });
    c.submit({ trigger: { ...testRequest("1", "7"), receivedAt: c.clock.now() } });
    await c.drain();
    // A provider's parts, which the adapter normally limits, from a model without that limit.
    c.answer([text("Hello."), { kind: "end", finishReason: "stop", calls: [], usage: null, native: { huge: HUGE } }]);
    await c.clock.advance(10_000);
    expect(c.store.turn("1")).toMatchObject({ state: "finished", status: "error" });
    expect(c.shown().get(testRequest("1").token ?? "")).toMatch(/Something went wrong/);
    expect([c.store.lock().turnId, c.alarmAt()]).toEqual([null, null]);
  });

  it("for its model's calls ends like any other internal error", async () => {
    const c = createChannelHarness({ database: nodeSqlite() });
    c.submit({ trigger: { ...testRequest("1", "7"), receivedAt: c.clock.now() } });
    await c.drain();
    const args = JSON.stringify({ note: "\u0000".repeat(5000) });
    c.answer([
      text("\u0000".repeat(100_000)),
      end(Array.from({ length: 30 }, () => ["look", args] as [string, string])),
    ]);
    await c.clock.advance(10_000);
    expect([c.store.lock().turnId, c.store.turn("1")?.state, c.streams()]).toEqual([null, "finished", 0]);
  });
});
