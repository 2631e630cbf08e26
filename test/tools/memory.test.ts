// The channel's memory: its search, and the tools that store, find and forget facts and notes.
import { beforeEach, describe, expect, it } from "vitest";
import { openMemories, openNotes } from "../../durable-objects/store/memories.ts";
import { openSqliteStore } from "../../durable-objects/store/sqlite.ts";
import { MAX_MEMORIES, MEMORY_CHARS, NOTES_CHARS } from "../../src/core/limits.ts";
import { notesMessage } from "../../src/core/transcript/notes.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { tools } from "../../src/tools/index.ts";
import { memoryContract } from "../support/memory-contract.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";

const NOW = Date.UTC(2030, 0, 1);

function shelf() {
  const database = nodeSqlite();
  openSqliteStore(database);
  return { database, memories: openMemories(database), notes: openNotes(database) };
}

describe("the long-term memory on SQLite", () => {
  it.each(memoryContract.map((one) => [one.name, one.run] as const))("%s", (_name, run) => {
    const [seen, wanted] = run(shelf().memories);
    expect(seen).toEqual(wanted);
  });
});

it("a forgotten fact leaves no word in the index", () => {
  const { database, memories } = shelf();
  const hexOf = (word: string) => Buffer.from(word).toString("hex").toUpperCase();
  const indexed = () =>
    String(
      database.sql.exec("SELECT group_concat(hex(block)) AS all_of_it FROM memory_words_data").toArray()[0]?.all_of_it,
    );
  const isIndexed = (word: string) => indexed().includes(hexOf(word));
  for (const [word, userId] of [
    ["zebra", "7"],
    ["yak", "8"],
    ["otter", "7"],
  ] as const)
    memories.add({ text: `I have a ${word}`, userId, at: NOW });
  expect(["zebra", "yak", "otter"].map(isIndexed)).toEqual([true, true, true]);
  memories.remove(1);
  expect(["zebra", "yak", "otter"].map(isIndexed)).toEqual([false, true, true]);
  memories.removeBy("7");
  expect(["zebra", "yak", "otter"].map(isIndexed)).toEqual([false, true, false]);
  expect(memories.find("yak", 10)).toHaveLength(1);
});

describe("a memory tool", () => {
  let services: ReturnType<typeof shelf>;
  beforeEach(() => {
    services = shelf();
  });
  const call = async (name: string, args: object) => {
    const runtime = new ToolRuntime(createToolRegistry(tools), { services });
    const { meta: _meta, ...result } = await runtime.execute(
      { name, arguments: JSON.stringify(args) },
      { userId: "7", now: NOW },
    );
    return result;
  };

  it("stores, finds and forgets a fact", async () => {
    const text = "Mira is allergic to nuts.";
    expect(await call("remember", { text: ` ${text} ` })).toEqual({
      ok: true,
      status: "ok",
      data: { number: 1, text },
    });
    const told = { number: 1, text, toldBy: "<@7>", toldAt: "2030-01-01T00:00:00.000Z" };
    expect((await call("recall", { query: "what is Mira allergic to?" })).data).toEqual({ found: [told], inMemory: 1 });
    expect((await call("forget", { number: 1 })).data).toEqual({ number: 1, forgotten: true });
    expect((await call("recall", {})).data).toEqual({ found: [], inMemory: 0 });
  });

  it("returns as many facts as may be requested, however long they are", async () => {
    const longest = (n: number) => `${n} "${"\n".repeat(480)}"`;
    for (let n = 0; n < 30; n++) services.memories.add({ text: longest(n), userId: "118000000000000010", at: NOW });
    const { data } = await call("recall", { limit: 30 });
    expect((data as { found: { text: string }[] }).found.map(({ text }) => text)).toEqual(
      Array.from({ length: 30 }, (_, n) => longest(29 - n)),
    );
  });

  it("says that there is nothing to forget, and does not call that a failure", async () => {
    expect(await call("forget", { number: 9 })).toMatchObject({
      ok: true,
      data: { number: 9, forgotten: false },
      message: "There is no such fact.",
    });
  });

  it("stores no more than fits, and says what to do", async () => {
    for (let n = 0; n < MAX_MEMORIES; n++) services.memories.add({ text: `fact ${n}`, userId: "7", at: 0 });
    expect(await call("remember", { text: "one more" })).toMatchObject({
      ok: false,
      error: "the memory is full (500 facts); forget something first",
    });
    // A call that runs again after a crash may have stored the last one.
    expect((await call("remember", { text: "fact 499" })).data).toEqual({ number: 500, text: "fact 499" });
  });

  it.each([
    ["remember", { text: "x".repeat(MEMORY_CHARS + 1) }],
    ["remember", { text: "   " }],
    ["recall", { limit: 0 }],
    ["forget", { number: 0 }],
    ["update_short_term_memory", { notes: "x".repeat(NOTES_CHARS + 1) }],
  ])("%s refuses input outside its limits (case %#)", async (name, args) => {
    expect((await call(name, args)).status).toBe("invalid_input");
  });

  it("replaces the notes as a whole", async () => {
    expect((await call("update_short_term_memory", { notes: "Theo wants tea." })).ok).toBe(true);
    expect((await call("update_short_term_memory", { notes: "Theo has tea." })).ok).toBe(true);
    expect(services.notes.read()).toBe("Theo has tea.");
    expect((await call("update_short_term_memory", { notes: "" })).ok).toBe(true);
    expect(services.notes.read()).toBe("");
  });
});

describe("notes in a request", () => {
  it("are a separate message, and none if there are none", () => {
    expect(notesMessage("")).toEqual([]);
    const text = expect.stringMatching(/^Your notes .*:\nTheo has tea\.$/) as string;
    expect(notesMessage("Theo has tea.")).toEqual([{ role: "user", text }]);
  });
});
