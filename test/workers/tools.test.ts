// Tools that store something, inside the runtime: what one turn stores is available to the next one and in its prompt.
import { describe, expect, it } from "vitest";
import { openMemories } from "../../durable-objects/store/memories.ts";
import { memoryContract } from "../support/memory-contract.ts";
import { MIRA, THEO } from "../support/workerd-harness.ts";
import { call, inside, quiet, text, world } from "./arrange.ts";

describe("the long-term memory on the object's SQLite", () => {
  it.each(memoryContract.map((one) => [one.name, one.run] as const))("%s", async (_name, run) => {
    const [seen, wanted] = await inside(world(), (_object, { storage }) => run(openMemories(storage)));
    expect(seen).toEqual(wanted);
  });
});

describe("a fact", () => {
  it("from one person is found for another", async () => {
    const w = world();
    w.model.script([
      call("remember", { text: "Theo drinks tea." }),
      text("Noted."),
      call("recall", { query: "tea" }),
      text("Theo does."),
    ]);
    await w.say(THEO, "remember that I drink tea");
    await quiet(w);
    await w.say(MIRA, "who drinks tea?");
    await quiet(w);
    expect(w.answers()).toEqual(["Noted.", "Theo does."]);
    expect(w.lastRequest().at(-1)).toContain('"text":"Theo drinks tea."');
  });
});

describe("a model that replaces one that failed", () => {
  it("gets its own call run and reads that call's result, even if the other one has called the same tool", async () => {
    const MODELS = JSON.stringify([{ id: "first" }, { id: "second" }].map((one) => ({ ...one, model: one.id })));
    const w = world({ variables: { MODELS } });
    w.model.script([
      call("remember", { text: "Theo drinks tea." }),
      { status: 400 },
      call("remember", { text: "Mira drinks coffee." }),
      text("Noted."),
    ]);
    await w.say(THEO, "remember what we drink");
    await quiet(w);
    expect(w.answers()).toEqual(["Noted.\n\n-# answered by second"]);
    expect(w.lastRequest().slice(2)).toEqual([
      "assistant: null",
      expect.stringContaining('"number":2,"text":"Mira drinks coffee."'),
    ]);
  });
});

describe("the notes", () => {
  it("are in the prompt of every later turn, end a turn that has text, and are deleted by a reset", async () => {
    const w = world();
    const noted = call("update_short_term_memory", { notes: "Theo wants tea." });
    w.model.script([{ chunks: [{ text: "Tea it is." }, ...noted.chunks] }, text("Still tea."), text("What?")]);
    await w.say(THEO, "tea please");
    await quiet(w);
    await w.say(THEO, "what did I want?");
    await quiet(w);
    expect(w.lastRequest().join("\n")).toContain("Theo wants tea.");
    await w.use(MIRA, "bot reset");
    await w.say(THEO, "what did I want?");
    await quiet(w);
    expect(w.lastRequest().join("\n")).not.toContain("Theo wants tea.");
    expect(w.answers().filter((answer) => !answer.startsWith("Forgot"))).toEqual(["Tea it is.", "Still tea.", "What?"]);
  });
});
