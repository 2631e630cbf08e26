// The sounds of a question: transcribed once, shown, read by the model in this and in later turns, paid for, and never the end of a turn.
import { describe, expect, it } from "vitest";
import { object } from "zod";
import type { Attachment } from "../../../src/core/state/attachments.ts";
import type { WrittenSound } from "../../../src/core/state/media.ts";
import { defineTool } from "../../../src/toolkit/define/tool.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import type { Listen } from "../../../src/turn/sounds.ts";
import {
  type ChannelHarness,
  type ChannelHarnessOptions,
  createChannelHarness,
} from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";

const sound = (filename = "voice-message.ogg", more: Partial<Attachment> = {}): Attachment => ({
  id: filename,
  filename,
  contentType: "audio/ogg",
  size: 12_000,
  url: "https://cdn.discordapp.com/1",
  proxyUrl: "",
  ...more,
});
const WORDS: WrittenSound = { ok: true, text: "Where is the *station*?\n[Mira · u1 · 10:00]", microUsd: 300 };
const done: ModelEvent[] = [
  { kind: "text", text: "Left." },
  { kind: "end", finishReason: "stop", calls: [], usage: { inputTokens: 1, outputTokens: 1, costMicroUsd: 5 } },
];

/** Makes a channel whose transcription gives these answers, and asks with these files. */
async function asked(answer: Listen | null, files: Attachment[] = [sound()], id = "1", onlyServers?: string[]) {
  const listened: string[] = [];
  const listen: Listen = async (one, signal) => {
    listened.push(one.filename);
    return answer ? answer(one, signal) : { ok: false, error: "" };
  };
  const channel = createChannelHarness({
    media: answer ? { listen } : {},
    ...(onlyServers && { config: { transcribeModel: { id: "h", model: "h", baseUrl: "", apiKey: "", onlyServers } } }),
  });
  await ask(channel, files, id);
  return { channel, listened, turn: () => channel.store.turn(id) };
}
async function ask(channel: ChannelHarness, attachments: Attachment[], id: string) {
  channel.submit({ trigger: { ...testRequest(id), receivedAt: channel.clock.now(), text: "", attachments } });
  await channel.clock.advance(100);
}
async function finish(channel: ChannelHarness) {
  channel.answer(done);
  await channel.clock.advance(10_000);
  return [...channel.shown().values()].at(-1);
}
const questions = ({ requests }: ChannelHarness, index = -1) =>
  (requests.at(index)?.messages ?? []).flatMap(({ role, text }) => (role === "user" ? [text] : []));

describe("a voice note", () => {
  it("is read by the model as a transcript, shown in a quoted line, and paid for", async () => {
    const { channel, turn, listened } = await asked(async () => WORDS);
    expect(questions(channel).join()).toContain("[transcript of voice-message.ogg]\nWhere is the *station*?\n");
    expect(questions(channel).join()).not.toContain("\n[Mira · u1");
    expect(await finish(channel)).toContain("> 🎙️ Where is the \\*station\\*? \\[Mira · u1 · 10:00\\]\nLeft.");
    expect([turn()?.usage.microUsd, listened]).toEqual([305, ["voice-message.ogg"]]);
  });

  it("is not transcribed by a model that is for other servers", async () => {
    const { listened } = await asked(async () => WORDS, [sound()], "1", ["78"]);
    expect(listened).toEqual([]);
  });

  it("reads the same in the next turn, which transcribes nothing", async () => {
    const { channel, listened } = await asked(async () => WORDS);
    const first = questions(channel)[0];
    await finish(channel);
    await ask(channel, [], "2");
    expect(questions(channel)[0]).toBe(first);
    expect(listened).toHaveLength(1);
  });

  it("is not transcribed again when Retry asks the same question", async () => {
    const { channel, listened } = await asked(async () => WORDS);
    channel.answer([{ kind: "failed", failure: { reason: "auth", message: "no key" } }]);
    await channel.clock.advance(10_000);
    const trigger = { ...testRequest("2"), receivedAt: channel.clock.now() };
    expect(channel.again({ turnId: "1", submission: { trigger } })).toEqual({ kind: "accepted" });
    await channel.clock.advance(100);
    expect(questions(channel).join()).toContain("[transcript of voice-message.ogg]\nWhere is the *station*?\n");
    expect(await finish(channel)).toContain("> 🎙️ Where");
    expect([listened.length, channel.store.turn("2")?.usage.microUsd]).toEqual([1, 5]);
  });

  it("is transcribed by the next life only if its words were not stored", async () => {
    const { channel, listened } = await asked(async () => WORDS);
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(20_000);
    expect(listened).toHaveLength(1);
    expect(questions(channel).join()).toContain("[transcript of voice-message.ogg]");
    expect(await finish(channel)).toContain("> 🎙️ Where");
    let lives = 0;
    const again = await asked(() => (lives++ === 0 ? new Promise(() => {}) : Promise.resolve(WORDS)));
    again.channel.crash();
    again.channel.runAlarm();
    await again.channel.clock.advance(20_000);
    expect(again.listened).toHaveLength(2);
    expect(await finish(again.channel)).toContain("> 🎙️ Where");
    expect(again.turn()?.usage.microUsd).toBe(305);
  });

  it("is named to the model and to the person if no model can listen", async () => {
    const { channel } = await asked(null);
    expect(questions(channel).join()).toContain("[you can't listen to these files: voice-message.ogg]");
    expect(await finish(channel)).toBe(
      "Left.\n\n-# ⚠️ I can't listen to `voice-message.ogg`. Write what it says instead.",
    );
  });

  it("doesn't end the turn if it can't be transcribed within a minute", async () => {
    const failed = await asked(async () => ({ ok: false, error: "no" }));
    expect(await finish(failed.channel)).toContain("I could not listen to `voice-message.ogg`.");
    const late = await asked(
      (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end({ ok: false, error: "late" }))),
    );
    expect(late.channel.requests).toHaveLength(0);
    await late.channel.clock.advance(60_000);
    expect(late.channel.requests).toHaveLength(1);
    expect(await finish(late.channel)).toContain("I could not listen");
  });

  it("is given up at once by a stop", async () => {
    const { channel, turn } = await asked(
      (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end({ ok: false, error: "stop" }))),
    );
    channel.stop({ kind: "stop", turnId: "1", userId: "7", userName: "Theo", moderator: true } as never);
    await channel.clock.advance(5000);
    expect([turn()?.status, channel.requests.length]).toEqual(["stopped_by_user", 0]);
  });
});

describe("what a voice note costs", () => {
  const transcribeModel = {
    id: "t",
    model: "t",
    baseUrl: "",
    apiKey: null,
    toolMode: "none",
    unitPrice: 0.006,
  } as never;
  const listens = (listen: Listen, more: Partial<ChannelHarnessOptions> = {}) =>
    createChannelHarness({ media: { listen }, config: { transcribeModel }, ...more });

  it("counts by the note's length for each life that ended while listening, and then as reported", async () => {
    let lives = 0;
    const channel = listens(() => (lives++ === 0 ? new Promise(() => {}) : Promise.resolve(WORDS)));
    await ask(channel, [sound("a.ogg", { seconds: 30 })], "1");
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(20_000);
    await finish(channel);
    expect([lives, channel.store.turn("1")?.usage.microUsd]).toEqual([2, 3000 + 300 + 5]);
  });

  it("counts nothing more for a life that ended after the words were stored", async () => {
    const channel = listens(async () => WORDS);
    await ask(channel, [sound("a.ogg", { seconds: 30 })], "1");
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(20_000);
    await finish(channel);
    expect(channel.store.turn("1")?.usage.microUsd).toBe(305);
  });

  it("is reported even if the turn was stopped while listening, before its first model call", async () => {
    const told: unknown[] = [];
    const scope = openScopes({
      report: async (reports) => {
        told.push(...reports.map(({ usage }) => usage));
        return reports.map(({ turnId }) => turnId);
      },
    });
    const forEver: Listen = (_, signal) =>
      new Promise((end) => signal.addEventListener("abort", () => end({ ok: false, error: "stop" })));
    const channel = listens((one, signal) => (one.id === "a" ? Promise.resolve(WORDS) : forEver(one, signal)), {
      scope,
    });
    await ask(channel, [sound("a"), sound("b")], "1");
    channel.stop({ kind: "stop", turnId: "1", userId: "10", userName: "Theo", moderator: true } as never);
    await channel.clock.advance(5000);
    expect(channel.requests).toHaveLength(0);
    expect(told).toMatchObject([{ modelCalls: 0, microUsd: 300 }]);
  });

  it.each([
    ["was stopped", 30, 5000, true],
    ["was stopped, but not by a length that is impossible for its bytes", 80_000, 5000, true],
    ["took too long", 30, 60_000, false],
  ])("counts by its length if the transcription %s", async (_, seconds, ms, isStopped) => {
    const left: Listen = (_, signal) =>
      new Promise((end) => {
        signal.addEventListener("abort", () => end({ ok: false, error: "left", mayCost: true }));
      });
    const channel = listens(left);
    await ask(channel, [sound("a.ogg", { seconds, size: 90_000 })], "1");
    if (isStopped) channel.stop({ kind: "stop", turnId: "1", userId: "7", userName: "Theo", moderator: true } as never);
    await channel.clock.advance(ms);
    if (!isStopped) await finish(channel);
    expect(channel.store.turn("1")?.usage.microUsd).toBe(3000 + (isStopped ? 0 : 5));
  });

  it("is checked against the limits across channels before the note is transcribed", async () => {
    const estimates: number[] = [];
    const channel = listens(async () => WORDS, {
      scope: openScopes({
        async lease({ estimate }) {
          estimates.push(estimate.microUsd);
          return { kind: "granted", allowance: { tokens: null, microUsd: 4000 }, until: 2_000_000 };
        },
      }),
    });
    const trigger = { ...testRequest("1"), receivedAt: 0, text: "", attachments: [sound("a.ogg", { seconds: 30 })] };
    channel.submit({ trigger, scope: { settings: {}, isLimited: true } });
    await channel.clock.advance(100);
    expect([estimates, channel.requests.length]).toEqual([[3000], 1]);
  });
});

describe("in deliberate mode, a voice note", () => {
  const tool = (name: string) =>
    defineTool({
      name,
      description: name,
      input: object({}),
      category: "safe",
      hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      triggers: { phrases: [name] },
      execute: () => ({ ok: true, data: 1 }),
    });
  const calls = (name: string): ModelEvent[] => [
    { kind: "end", finishReason: "tool_calls", calls: [{ id: "c", name, arguments: "{}" }], usage: null },
  ];
  const offered = ({ requests }: ChannelHarness) => requests.at(-1)?.tools.map(({ name }) => name);

  /** Makes a channel in the mode, and asks with these spoken words. */
  async function spoken(...words: string[]) {
    const said = words.map((text): WrittenSound => ({ ok: true, text, microUsd: null }));
    const listen: Listen = async () => said.shift() ?? { ok: false, error: "no more" };
    const channel = createChannelHarness({ media: { listen }, tools: [tool("alpha"), tool("beta")] });
    channel.deliberate({ interactionId: "90", userId: "7", change: { what: "mode", on: true } });
    await ask(channel, [sound()], "1");
    return channel;
  }

  it("gets the tools that its words ask for and no others, also in a later life", async () => {
    const channel = await spoken("Now alpha, please");
    expect(offered(channel)).toEqual(["alpha"]);
    channel.crash();
    channel.runAlarm();
    await channel.clock.advance(20_000);
    expect(offered(channel)).toEqual(["alpha"]);
    channel.answer(calls("beta"));
    await channel.clock.advance(100);
    expect(channel.requests.at(-1)?.messages.at(-1)?.text).toContain('"allowedToolNames":["alpha"]');
    channel.answer(calls("alpha"));
    await channel.clock.advance(100);
    expect(channel.requests.at(-1)?.messages.at(-1)?.text).toBe("1");
  });

  it("that asks for nothing gets none, and one that asks for the same again gets what was used", async () => {
    const channel = await spoken("Hello there", "Do that again!");
    channel.deliberate({ interactionId: "91", userId: "7", change: { what: "context", turns: 0 } });
    expect(offered(channel)).toEqual([]);
    await finish(channel);
    channel.submit({ trigger: { ...testRequest("2"), receivedAt: channel.clock.now(), text: "alpha" } });
    await channel.clock.advance(100);
    channel.answer(calls("alpha"));
    await channel.clock.advance(100);
    await finish(channel);
    await ask(channel, [sound()], "3");
    expect(offered(channel)).toEqual(["alpha"]);
  });
});

it("of several sounds those within 25 MB in total are transcribed, and the others are named", async () => {
  const files = [
    sound("a.mp3", { size: 9_000_000 }),
    sound("b.mp3", { size: 9_000_000 }),
    sound("c.mp3", { size: 9_000_000 }),
  ];
  const { channel, listened } = await asked(async () => ({ ...WORDS, text: "One." }), files);
  expect(listened).toEqual(["a.mp3", "b.mp3"]);
  expect(await finish(channel)).toBe(
    "> 🎙️ One. One.\nLeft.\n\n-# ⚠️ I could not listen to `c.mp3`. Send it again, or write what it says.",
  );
});
