// What a server's scope keeps about its settings: values, who changed them, and what the endpoints learn.
import { describe, expect, it } from "vitest";
import { MAX_RECORDED_CHANGES, MAX_RECORDED_UNITS } from "../../../src/channel/setting-history.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";

const SERVER = "guild:77";
const change = (id: number, key: string, value: string | null, by = "10") => ({
  interactionId: String(id),
  key,
  value,
  by,
});

describe("a server's settings", () => {
  it("are in the next copy, in any later life, and only in that server", async () => {
    const h = createScopeHarness(["1"]);
    const set = await h.scope(SERVER).changeSetting(change(1, "max_messages", " 3 "));
    const settings = { max_messages: "3", changed_at: "1000000" };
    expect(set).toEqual({ ok: true, key: "max_messages", text: "3", settings });
    h.crash();
    const copies = await Promise.all([SERVER, "guild:78", "deployment"].map((name) => h.scope(name).copy()));
    expect(copies.map((copy) => copy.settings)).toEqual([settings, {}, {}]);
    expect(await h.scope(SERVER).settings()).toEqual(settings);
  });

  it("have the time of their last change, which identifies an older copy even after two changes in one millisecond", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(SERVER).changeSetting(change(1, "max_messages", "3"));
    await h.scope(SERVER).changeSetting(change(2, "max_messages", "4"));
    expect((await h.scope(SERVER).settings()).changed_at).toBe("1000001");
    h.clock.now += 5;
    await h.scope(SERVER).changeSetting(change(3, "max_messages", "4"));
    expect((await h.scope(SERVER).settings()).changed_at).toBe("1000001");
    await h.scope(SERVER).changeSetting(change(4, "max_messages", null));
    expect((await h.scope(SERVER).settings()).changed_at).toBe("1000005");
  });

  it("are checked like a channel's, and a bad value keeps the old one", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(SERVER).changeSetting(change(1, "model", "deep"));
    const answers = [];
    for (const [key, value] of [
      ["model", "gone"],
      ["max_messages", "11"],
      ["volume", "1"],
    ] as const)
      answers.push((await h.scope(SERVER).changeSetting(change(2, key, value))).ok);
    const kept = { model: "deep", changed_at: "1000000" };
    expect([answers, await h.scope(SERVER).settings()]).toEqual([[false, false, false], kept]);
    expect(await h.scope(SERVER).history()).toHaveLength(1);
  });

  it("are cleared with null", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(SERVER).changeSetting(change(1, "private", "true"));
    expect(await h.scope(SERVER).changeSetting(change(2, "private", null))).toMatchObject({ text: null, settings: {} });
  });

  it("remember who set the channel for thoughts, whose access is checked with every post", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(SERVER).changeSetting(change(1, "thought_log_channel", "118000000000000777"));
    expect(await h.scope(SERVER).settings()).toEqual({
      thought_log_channel: "118000000000000777",
      thought_log_setter: "10",
      changed_at: "1000000",
    });
    await h.scope(SERVER).changeSetting(change(2, "thought_log_channel", "118000000000000777", "11"));
    expect(await h.scope(SERVER).settings()).toMatchObject({ thought_log_setter: "11", changed_at: "1000001" });
    await h.scope(SERVER).changeSetting(change(3, "thought_log_channel", null));
    expect(await h.scope(SERVER).settings()).toEqual({ changed_at: "1000002" });
  });

  it("can't be set for the deployment", async () => {
    await expect(
      createScopeHarness()
        .scope("deployment")
        .changeSetting(change(1, "private", "true")),
    ).rejects.toThrow("only servers have settings");
  });
});

describe("the history", () => {
  it("has who changed what and when, newest first, without changes that changed nothing", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(SERVER).changeSetting(change(1, "max_messages", "3"));
    h.clock.now += 5;
    await h.scope(SERVER).changeSetting(change(2, "max_messages", "3", "11"));
    await h.scope(SERVER).changeSetting(change(3, "max_messages", null, "11"));
    h.crash();
    expect(await h.scope(SERVER).history()).toEqual([
      { at: 1_000_005, by: "11", key: "max_messages", old: "3", new: null },
      { at: 1_000_000, by: "10", key: "max_messages", old: null, new: "3" },
    ]);
  });

  it("has a repeated interaction once, and the repetition does not undo a later change", async () => {
    const h = createScopeHarness(["1"]);
    await h.scope(SERVER).changeSetting(change(1, "max_messages", "3"));
    await h.scope(SERVER).changeSetting(change(2, "max_messages", "4"));
    expect(await h.scope(SERVER).changeSetting(change(1, "max_messages", "3"))).toMatchObject({ text: "4" });
    expect(await h.scope(SERVER).history()).toHaveLength(2);
  });

  it("keeps the newest changes, and the beginning of a long value", async () => {
    const h = createScopeHarness(["1"]);
    for (let n = 1; n <= MAX_RECORDED_CHANGES + 3; n++)
      await h.scope(SERVER).changeSetting(change(n, "system_prompt", `${n} ${"x".repeat(3000)}`));
    const history = await h.scope(SERVER).history();
    expect(history.map((one) => one.new?.split(" ")[0])).toEqual(
      Array.from({ length: MAX_RECORDED_CHANGES }, (_, n) => String(MAX_RECORDED_CHANGES + 3 - n)),
    );
    expect(history[0]?.old).toHaveLength(MAX_RECORDED_UNITS);
  });
});
