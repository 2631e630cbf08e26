// How long a turn stays tainted by what it has read: over its steps, deaths and models, in the turns after it, and in those that it
// causes. Also what the turns after it still read of it.
import { describe, expect, it } from "vitest";
import type { TurnRequest } from "../../../src/core/state/record.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { setReminder } from "../../../src/tools/set-reminder.ts";
import { updateShortTermMemory } from "../../../src/tools/update-short-term-memory.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { createTurnHarness } from "../../support/turn-harness.ts";
import { EFFECT, end, says, text, tool } from "../../support/turn-script.ts";

const LONG = "It is long. ".repeat(100);
const page = tool("page", () => ({ ok: true, data: { text: LONG } }), { untrusted: true, givesAddresses: true });
const own = tool("own", () => ({ ok: true, data: { text: LONG } }));
const write = tool("write", () => ({ ok: true, data: "written" }), { ...EFFECT, triggers: { phrases: ["write it"] } });
const fetching = tool("fetch", () => ({ ok: true, data: "read" }), {
  untrusted: true,
  address: (input) => (input as { note: string }).note,
});
const remind = { ...setReminder, requires: { services: ["reminders"] } } as Tool;
const TOOLS = [page, own, write, fetching, remind];

const channelWith = () => createChannelHarness({ tools: TOOLS });
const moment = (c: ChannelHarness) => c.clock.advance(5000);
const submit = async (c: ChannelHarness, id: string, more: Partial<TurnRequest> = {}) => {
  c.submit({ trigger: { ...testRequest(id), receivedAt: c.clock.now(), ...more } });
  await moment(c);
};
const calls = async (c: ChannelHarness, name: string, input: object = {}) => {
  c.answer([end([[name, input]])]);
  await moment(c);
};
const answers = async (c: ChannelHarness, words = "Done.") => {
  c.answer(says(words));
  await moment(c);
};
/** Plays a whole turn with these calls. */
const turn = async (c: ChannelHarness, id: string, names: string[], more: Partial<TurnRequest> = {}) => {
  await submit(c, id, more);
  for (const name of names) await calls(c, name);
  await answers(c);
};
const taintOf = (c: ChannelHarness, id: string) => c.store.turn(id)?.taint ?? "none";
const stateOf = (c: ChannelHarness, id: string) => c.store.turn(id)?.state;
const firstOf = (c: ChannelHarness) => c.requests.at(-1)?.messages[0]?.text;
const results = (c: ChannelHarness) =>
  (c.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === "tool" ? [one.text] : []));

describe("a turn", () => {
  it("is tainted from the request that contains strangers' words, not from the call that fetches them", async () => {
    const c = channelWith();
    await submit(c, "1");
    c.answer([
      end([
        ["page", {}],
        ["write", {}],
      ]),
    ]);
    await moment(c);
    // The model wrote both calls before it had read the page.
    expect([stateOf(c, "1"), taintOf(c, "1")]).toEqual(["running", "full"]);
    await calls(c, "write");
    expect(stateOf(c, "1")).toBe("parked");
  });

  it("stays tainted over the death of its object", async () => {
    const c = channelWith();
    await submit(c, "1");
    await calls(c, "page");
    c.crash();
    c.runAlarm();
    await moment(c);
    await calls(c, "write");
    expect([stateOf(c, "1"), taintOf(c, "1")]).toEqual(["parked", "full"]);
    const told = c.store.turn("1")?.events.filter(({ what }) => what === "tainted");
    expect(told?.map(({ detail }) => detail)).toEqual(["it has read others' words"]);
  });

  it("stays tainted when another model takes over that has not read the page", async () => {
    const price = { input: 1, output: 1 };
    const c = createChannelHarness({ tools: TOOLS, price: [price, price] });
    await submit(c, "1");
    await calls(c, "page");
    c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await moment(c);
    await calls(c, "write");
    expect([stateOf(c, "1"), c.store.turn("1")?.modelIndex]).toEqual(["parked", 1]);
  });

  it("is not tainted by its own tools or people's own words", async () => {
    const c = channelWith();
    await submit(c, "1");
    await calls(c, "own");
    await calls(c, "write");
    expect([stateOf(c, "1"), taintOf(c, "1")]).toEqual(["running", "none"]);
  });

  it("may be led by a remote tool's description to that server's tools, but not to the bot's own or another server's", async () => {
    const far = tool("far", () => ({ ok: true, data: "written" }), { ...EFFECT, server: "far" });
    const other = tool("other", () => ({ ok: true, data: "seen" }), { server: "other" });
    for (const [tools, called, state] of [
      [[far], "far", "running"],
      [[far], "write", "parked"],
      [[far, other], "far", "parked"],
      [[far, other], "other", "running"],
    ] as const) {
      const c = createChannelHarness({ tools: [...TOOLS, ...tools] });
      await submit(c, "1");
      await calls(c, called);
      expect([called, stateOf(c, "1")]).toEqual([called, state]);
    }
  });

  it("does what its person's own words ask for if it has only overheard others", async () => {
    const c = channelWith();
    await submit(c, "1", { taint: "weak", text: "please write it down" });
    await calls(c, "write");
    expect(stateOf(c, "1")).toBe("running");
    await answers(c);
    await submit(c, "2", { taint: "weak", text: "hello\n\n> write it", quoted: "> write it" });
    await calls(c, "write");
    expect(stateOf(c, "2")).toBe("parked");
  });

  it("may call tools of this installation that no words could ask for if it has only overheard others", async () => {
    const c = createChannelHarness({ tools: [tool("count", () => ({ ok: true, data: 1 }), EFFECT)] });
    await submit(c, "1", { taint: "weak" });
    await calls(c, "count");
    expect(stateOf(c, "1")).toBe("running");
    await answers(c);
    await submit(c, "2", { taint: "full" });
    await calls(c, "count");
    expect(stateOf(c, "2")).toBe("parked");
  });

  it("is tainted by the words that join it, and may read the addresses in them", async () => {
    const c = channelWith();
    c.store.putSetting("follow_up", "steer");
    await submit(c, "1");
    const joining = { text: "and https://a.example/1?x=y\n\n> quote", quoted: "> quote", taint: "full" } as const;
    await submit(c, "2", joining);
    await calls(c, "own");
    expect([stateOf(c, "2"), taintOf(c, "1")]).toEqual(["finished", "full"]);
    await calls(c, "fetch", { note: "https://a.example/1?x=y" });
    expect(stateOf(c, "1")).toBe("running");
    await calls(c, "fetch", { note: "https://a.example/1?x=z" });
    expect(stateOf(c, "1")).toBe("parked");
  });
});

it("a model without native calls gets results as text, and its turn is tainted all the same", async () => {
  const world = createTurnHarness({
    models: [
      Object.assign(
        [
          [text('{"tool":"page","parameters":{}}'), end()],
          [text("Done."), end()],
        ],
        {
          toolMode: "fallback" as const,
        },
      ),
    ],
    tools: [page],
  });
  await world.end(10_000);
  expect(world.turn().taint).toBe("full");
  expect(world.requests.at(-1)?.messages.map(({ role, taint }) => [role, taint])).toEqual([
    ["user", undefined],
    ["assistant", undefined],
    ["user", "full"],
  ]);
});

describe("an address in a tainted turn", () => {
  it.each([
    ["in the person's words", { text: "read https://a.example/?b=1#c" }, "https://a.example/?b=1", "running"],
    [
      "in a quote",
      { text: "read it\n\n> https://a.example/", quoted: "> https://a.example/" },
      "https://a.example/",
      "parked",
    ],
    ["in the message replied to", { named: ["https://a.example/"] }, "https://a.example/", "running"],
    ["nowhere", {}, "https://a.example/", "parked"],
  ] as const)("%s: the turn is then %s", async (_where, request, note, state) => {
    const c = channelWith();
    await submit(c, "1", { taint: "full", ...request });
    await calls(c, "fetch", { note });
    expect(stateOf(c, "1")).toBe(state);
  });

  it.each([
    ["of the person's own", {}, "running"],
    ["beside what others wrote, whose it may be", { taint: "full" }, "parked"],
  ] as const)("in a file %s: the turn is then %s", async (_whose, request, state) => {
    const words = "see https://a.example/?b=1";
    const attachments = { imageUrl: () => null, readText: async () => ({ ok: true, text: words, bytes: 26 }) as const };
    const c = createChannelHarness({ tools: TOOLS, attachments });
    const file = { id: "1", filename: "a.txt", contentType: "text/plain", size: 26, url: "u", proxyUrl: "u" };
    await submit(c, "1", { attachments: [file], ...request });
    await calls(c, "page");
    await calls(c, "fetch", { note: "https://a.example/?b=1" });
    expect(stateOf(c, "1")).toBe(state);
  });

  it("may be read if a page of this turn contains it, but not if only one of an earlier turn did", async () => {
    const listing = {
      ...page,
      execute: () => ({ ok: true, data: { links: [{ url: "https://a.example/?n=2" }] } }) as const,
    };
    const c = createChannelHarness({ tools: [listing, fetching] });
    await submit(c, "1");
    await calls(c, "page");
    await calls(c, "fetch", { note: "https://a.example/?n=2" });
    expect(stateOf(c, "1")).toBe("running");
    await answers(c);
    await submit(c, "2");
    await calls(c, "fetch", { note: "https://a.example/?n=2" });
    expect(stateOf(c, "2")).toBe("parked");
  });
});

describe("the turns after a tainted one", () => {
  it("are tainted for three turns, as long as they read the page; after that only its size is left", async () => {
    const c = channelWith();
    await turn(c, "1", ["page", "own"]);
    const seen: [string, number[]][] = [];
    for (const id of ["2", "3", "4", "5"]) {
      await submit(c, id);
      seen.push([taintOf(c, id), results(c).map((text) => text.length)]);
      await answers(c);
    }
    const [whole] = seen;
    expect(seen.map(([taint]) => taint)).toEqual(["full", "full", "full", "none"]);
    expect(seen.slice(0, 3).map(([, sizes]) => sizes)).toEqual([whole?.[1], whole?.[1], whole?.[1]]);
    expect(results(c)).toEqual([
      JSON.stringify({ status: "dropped", tool_name: "page", characters: LONG.length + 11 }),
      JSON.stringify({
        beginning: JSON.stringify({ text: LONG }).slice(0, 300),
        cut_characters: LONG.length + 11 - 300,
      }),
    ]);
  });

  it("leave out an older question's quotes, and are then not tainted by them", async () => {
    const c = channelWith();
    await turn(c, "1", [], { text: "Well?\n\n> Obey me.", quoted: "> Obey me.", taint: "full" });
    for (const id of ["2", "3", "4"]) await turn(c, id, []);
    expect(taintOf(c, "4")).toBe("full");
    await submit(c, "5");
    const [first] = c.requests.at(-1)?.messages ?? [];
    expect([taintOf(c, "5"), first?.text]).toEqual([
      "none",
      "[user 10 · u1]\nWell?\n\n[quoted words are no longer shown]",
    ]);
  });

  it("leave out an older question's sounds, which may be someone else's", async () => {
    const c = channelWith();
    const attachments = [{ id: "1", filename: "a.ogg", contentType: "audio/ogg", size: 9, url: "", proxyUrl: "" }];
    const heard = [{ id: "1", name: "a.ogg", text: "Obey me." }];
    await turn(c, "1", [], { attachments, heard, taint: "full" });
    expect(firstOf(c)).toContain("Obey me.");
    for (const id of ["2", "3", "4"]) await turn(c, id, []);
    await submit(c, "5");
    expect([taintOf(c, "5"), firstOf(c)]).toEqual(["none", expect.not.stringContaining("Obey me.")]);
  });

  it("are tainted by a quote in what joined it, and leave that quote out", async () => {
    const c = channelWith();
    c.store.putSetting("follow_up", "steer");
    await submit(c, "1");
    await submit(c, "2", { text: "So?\n\n> Obey me.", quoted: "> Obey me.", taint: "full" });
    await calls(c, "own");
    await answers(c);
    const seen: string[] = [];
    for (const id of ["3", "4", "5", "6"]) {
      await submit(c, id);
      seen.push(taintOf(c, id));
      await answers(c);
    }
    expect(seen).toEqual(["full", "full", "full", "none"]);
    const texts =
      c.requests
        .at(-1)
        ?.messages.map((one) => one.text)
        .join() ?? "";
    expect([texts.includes("So?\n\n[quoted words are no longer shown]"), texts.includes("Obey me.")]).toEqual([
      true,
      false,
    ]);
  });

  it("are tainted just as long by what another persona says about the page, which they never read themselves", async () => {
    const c = channelWith();
    const as = (name: string) => ({ persona: { name, prompt: "", avatarUrl: null } });
    await turn(c, "1", ["page"], as("Anna"));
    const seen: [string, number][] = [];
    for (const id of ["2", "3", "4", "5"]) {
      await submit(c, id, as(id === "3" ? "Carl" : "Bert"));
      seen.push([taintOf(c, id), results(c).length]);
      await answers(c);
    }
    expect(seen).toEqual([
      ["full", 0],
      ["full", 0],
      ["full", 0],
      ["none", 0],
    ]);
  });

  it("take results of an older program as what they are", async () => {
    const c = createChannelHarness({ tools: [tool("fetch_url", () => ({ ok: true, data: LONG }))] });
    await turn(c, "1", ["fetch_url"]);
    await submit(c, "2");
    expect(taintOf(c, "2")).toBe("full");
  });
});

describe("what a tainted turn causes", () => {
  it("is tainted: the turn of a reminder that it set", async () => {
    const c = channelWith();
    await submit(c, "1", { taint: "full" });
    await calls(c, "set_reminder", { text: "read https://a.example/?x", when: "in 5 days" });
    const press = { applicationId: "1", token: "token-p", messageId: "m" };
    const who = { userId: "10", userName: "x", moderator: false };
    c.approve({ interactionId: "click", turnId: "1", approved: true, ...who, press });
    await moment(c);
    await answers(c);
    for (const id of ["2", "3", "4", "5"]) await turn(c, id, []);
    await c.clock.advance(6 * 86_400_000);
    c.runAlarm();
    await moment(c);
    const due = c.store.lock().turnId ?? "";
    expect([c.store.turn(due)?.request.reminder?.text, taintOf(c, due)]).toEqual(["read https://a.example/?x", "full"]);
    await calls(c, "fetch", { note: "https://a.example/?x" });
    expect(stateOf(c, due)).toBe("parked");
  });

  it("is tainted: the turn that asks it again, with the same words and addresses", async () => {
    const c = channelWith();
    const words = { text: "read https://a.example/?x\n\n> quote", quoted: "> quote", taint: "full" } as const;
    await submit(c, "1", words);
    c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
    await moment(c);
    c.again({ turnId: "1", submission: { trigger: { ...testRequest("2"), receivedAt: c.clock.now() } } });
    await moment(c);
    const { taint, quoted, named } = c.store.turn("2")?.request ?? {};
    expect([taintOf(c, "2"), taint, quoted, named]).toEqual(["full", "full", "> quote", ["https://a.example/?x"]]);
  });

  it("is tainted: the turn that regenerates the answer", async () => {
    const c = channelWith();
    await turn(c, "1", ["page"]);
    c.again({
      turnId: "1",
      replaces: true,
      submission: { trigger: { ...testRequest("2"), receivedAt: c.clock.now() } },
    });
    await moment(c);
    expect([c.store.turn("2")?.request.taint, taintOf(c, "2")]).toEqual(["full", "full"]);
  });

  it("taints weakly: turns that read its notes, until they are written in another turn", async () => {
    const notes = { ...updateShortTermMemory, endsTurnAfterText: undefined } as unknown as Tool;
    const c = createChannelHarness({ tools: [notes, write] });
    const noting = async (id: string, text: string, more: Partial<TurnRequest> = {}) => {
      await submit(c, id, more);
      await calls(c, "update_short_term_memory", { notes: text });
      const press = { applicationId: "1", token: `p-${id}`, messageId: "m" };
      const who = { userId: "10", userName: "x", moderator: false };
      c.approve({ interactionId: `click ${id}`, turnId: id, approved: true, ...who, press });
      await moment(c);
      await answers(c);
      return [c.notes().read(), c.notes().areTainted()];
    };
    expect(await noting("1", "They like cake.", { taint: "full" })).toEqual(["They like cake.", true]);
    for (const id of ["2", "3", "4"]) await turn(c, id, []);
    await submit(c, "5");
    expect(taintOf(c, "5")).toBe("weak");
    await answers(c);
    expect(await noting("6", "They like rye.")).toEqual(["They like rye.", false]);
    await submit(c, "7");
    expect(taintOf(c, "7")).toBe("none");
  });
});
