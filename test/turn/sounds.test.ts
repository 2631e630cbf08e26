// Listening to the sounds of a question: how many bytes and words at most, and what is stored.
import { describe, expect, it } from "vitest";
import { MAX_HEARD_CHARS, SOUND_BYTES } from "../../src/core/limits.ts";
import type { HeardSound, WrittenSound } from "../../src/core/state/media.ts";
import { hearSounds } from "../../src/turn/sounds.ts";
import { createTestClock } from "../support/clock.ts";
import { testRequest } from "../support/store-contract.ts";

const sound = (id: string, size = 10) => ({
  id,
  filename: `${id}.ogg`,
  contentType: "audio/ogg",
  size,
  url: `https://cdn/${id}`,
  proxyUrl: `https://media/${id}`,
});

/** Listens to these sounds, each of which says this. Returns the names of those without words, and what was stored. */
async function heard(sounds: ReturnType<typeof sound>[], written: (id: string) => WrittenSound, before?: string) {
  const stored: [readonly HeardSound[], number][] = [];
  const noted: unknown[] = [];
  const asked: string[] = [];
  const clock = createTestClock(0);
  const listen = async ({ id }: { id: string }) => {
    asked.push(id);
    return written(id);
  };
  const unheard = await hearSounds(sounds, listen, {
    turnId: "t",
    request: {
      ...testRequest("t"),
      ...(before !== undefined && { heard: [{ id: "0", name: "0.ogg", text: before }] }),
    },
    usdPerMinute: 0,
    refuseCall: async () => null,
    clock: clock.now,
    timers: clock.timers,
    signal: new AbortController().signal,
    log: { info() {}, warn() {}, error() {} },
    store: { soundsHeard: (...one) => stored.push(one) > 0, note: (...one) => void noted.push(one) },
  });
  expect(clock.pending()).toBe(0);
  return { unheard, asked, stored, noted, texts: stored.flatMap(([all]) => all.map(({ text }) => text)) };
}
const says = (text: string, microUsd: number | null = null) => ({ ok: true, text, microUsd }) as const;

describe("the sounds of a question", () => {
  it("are recorded as a failed call of their model, with what its provider said", async () => {
    const failed = { model: "ears", reason: "auth", message: "no such key", status: 401 } as const;
    const { noted, unheard } = await heard([sound("a")], () => ({ ok: false, error: "no such key", failed }));
    const call = { model: "ears", at: 0, ms: 0, firstMs: null, outcome: "failed", reason: "auth" };
    expect(noted).toEqual([
      [
        "model",
        "ears, auth, 0 ms",
        { forModerators: "status 401: no such key", call: { ...call, usage: null, contents: null } },
      ],
    ]);
    expect(unheard).toEqual(["a.ogg"]);
    expect((await heard([sound("a")], () => ({ ok: false, error: "too long for it" }))).noted).toEqual([]);
  });

  it.each([
    [SOUND_BYTES - 1, ["a", "b"]],
    [SOUND_BYTES, ["a", "b"]],
    [SOUND_BYTES + 1, ["a"]],
  ])("are listened to while all of them have %i bytes: %j", async (bytes, asked) => {
    const sounds = [sound("a", 10), sound("b", bytes - 10)];
    expect((await heard(sounds, says)).asked).toEqual(asked);
  });

  it("are also listened to after one that is too large", async () => {
    const { asked, unheard } = await heard([sound("a", SOUND_BYTES + 1), sound("b")], says);
    expect([asked, unheard]).toEqual([["b"], ["a.ogg"]]);
  });

  it.each([
    [MAX_HEARD_CHARS - 1, ["a", "b"], [MAX_HEARD_CHARS - 1, 1]],
    [MAX_HEARD_CHARS, ["a"], [MAX_HEARD_CHARS]],
    [MAX_HEARD_CHARS + 1, ["a"], [MAX_HEARD_CHARS]],
  ])("have 12,000 characters together, here after one of %i", async (chars, asked, lengths) => {
    const { texts, ...rest } = await heard([sound("a"), sound("b")], (id) => says(id.repeat(id === "a" ? chars : 9)));
    expect([rest.asked, texts.map(({ length }) => length)]).toEqual([asked, lengths]);
  });

  it("have only what is left by those that were heard before", async () => {
    const { texts } = await heard([sound("a")], () => says("a".repeat(9)), "x".repeat(MAX_HEARD_CHARS - 2));
    expect(texts).toEqual(["aa"]);
  });

  it.each<[string, WrittenSound, [string, number][]]>([
    ["with its words", says("hi"), [["hi", 0]]],
    ["with what it cost", says("hi", 5), [["hi", 5]]],
    ["not if nothing was heard and nothing spent", { ok: false, error: "no" }, []],
  ])("are stored once: %s", async (_, written, stored) => {
    const { stored: found } = await heard([sound("a")], () => written);
    expect(found.map(([all, microUsd]) => [all.map(({ text }) => text).join(), microUsd])).toEqual(stored);
  });
});
