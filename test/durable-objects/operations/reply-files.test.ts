// The files that tools and models make: kept from the call to the last edit, through any death in between, and no longer.
import { describe, expect, it } from "vitest";
import { deletedText } from "../../../src/core/copy/control-answers.ts";
import { MAX_REPLY_FILES, TOKEN_LIFE_MS } from "../../../src/core/limits.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import type { ModelEvent } from "../../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "../../support/app-harness.ts";
import { EFFECT, tool } from "../../support/turn-script.ts";

const { theo } = PEOPLE;
const MINUTE = 60_000;
const data = new Uint8Array([1, 2, 3]);
const draw = tool("draw", (_context, { note = "drawing" }) => ({
  ok: true,
  data: { drawn: note },
  files: [{ name: `${note}.png`, type: "image/png", data }],
}));
const paint = tool(
  "paint",
  () => ({ ok: true, data: 1, files: [{ name: "painting.png", type: "image/png", data }] }),
  EFFECT,
);
const calls = (name: string, ...notes: string[]): ModelEvent[] => [
  {
    kind: "end",
    finishReason: "tool_calls",
    calls: notes.map((note, index) => ({ id: `${name}${index}`, name, arguments: JSON.stringify({ note }) })),
    usage: null,
  },
];
const done = (text: string, more: Partial<ModelEvent> = {}): ModelEvent[] => [
  { kind: "text", text },
  { kind: "end", finishReason: "stop", calls: [], usage: null, ...more } as ModelEvent,
];

/** The bot's messages: their words and their files. */
const sees = ({ discord }: AppHarness) =>
  discord
    .messages(PLACES.general, theo)
    .flatMap(({ author, content, attachments }) =>
      author.bot ? [[content, ...attachments.map(({ filename }) => filename)]] : [],
    );
const kept = ({ channel }: AppHarness) => {
  const { running, closing } = channel.store.state();
  return [running, ...closing].flatMap((turn) => (turn ? channel.store.fileNotes(turn.id) : []));
};

async function asked(): Promise<AppHarness> {
  const place = createAppHarness({ tools: [draw, paint] });
  await place.ask(theo, "draw");
  await place.pass(1000);
  return place;
}

describe("files of tools", () => {
  it("come with the answer, in the order of their calls, and are not kept after that", async () => {
    const place = await asked();
    place.channel.answer(calls("draw", "one", "two"));
    await place.pass(1000);
    expect(kept(place).map(({ name }) => name)).toEqual(["one.png", "two.png"]);
    place.channel.answer(calls("paint", ""));
    await place.pass(1000);
    const [{ id = "" } = {}] = [place.channel.store.state().running ?? undefined];
    place.channel.answer(done("Here."));
    await place.pass(5000);
    expect(sees(place)).toEqual([["Here.", "one.png", "two.png", "painting.png"]]);
    expect([place.channel.store.turn(id)?.state, place.channel.store.fileNotes(id)]).toEqual(["finished", []]);
  });

  it("are an answer even without words: it can be asked for again or deleted, and no line says that nothing was said", async () => {
    const place = await asked();
    place.channel.answer(calls("draw", "one"));
    await place.pass(1000);
    place.channel.answer(done(""));
    await place.pass(5000);
    expect(sees(place)).toEqual([["", "one.png"]]);
    await place.click(theo, "Delete");
    await place.pass(5000);
    expect(sees(place)).toEqual([[deletedText(0, true)]]);
  });

  it("come below the question like words, because Discord shows that to nobody else", async () => {
    const place = createAppHarness({ tools: [draw], settings: { show_question: "true" } });
    await place.ask(theo, "draw");
    await place.pass(1000);
    place.channel.answer(calls("draw", "one"));
    await place.pass(1000);
    place.channel.answer(done(""));
    await place.pass(5000);
    expect(sees(place)).toEqual([["> draw\n", "one.png"]]);
  });

  it.each(["draw", "paint"])("of %s come once, although a new life continues after the call", async (name) => {
    const place = await asked();
    place.channel.answer(calls(name, "painting"));
    await place.pass(1000);
    place.channel.crash();
    await place.pass(MINUTE);
    place.channel.answer(done("Here."));
    await place.pass(5000);
    expect(sees(place).map(([, ...names]) => names)).toEqual([["painting.png"]]);
  });

  it("are named if there are too many, and the model reads which", async () => {
    const place = await asked();
    const notes = Array.from({ length: MAX_REPLY_FILES + 2 }, (_, index) => `p${index}`);
    place.channel.answer(calls("draw", ...notes));
    await place.pass(1000);
    const results = place.channel.requests.at(-1)?.messages.flatMap((one) => (one.role === "tool" ? [one.text] : []));
    expect(results?.map((text) => Object.keys(JSON.parse(text) as object)[1])).toEqual([
      ...Array(MAX_REPLY_FILES).fill("attached_to_your_answer"),
      ...Array(2).fill("left_out_because_too_many_or_too_large"),
    ]);
    place.channel.answer(done("Here."));
    await place.pass(5000);
    expect(sees(place)).toEqual([
      [
        "Here.\n\n-# ⚠️ I left out `p9.png`, `p10.png`. I can attach only 9 files with 10 MiB in all. Ask for fewer or smaller ones.",
        ...notes.slice(0, MAX_REPLY_FILES).map((note) => `${note}.png`),
      ],
    ]);
  });

  it("wait with the rest of the answer for a click when the token has ended", async () => {
    const place = await asked();
    place.channel.answer(calls("draw", "one"));
    await place.pass(TOKEN_LIFE_MS);
    place.channel.answer(done("Here."));
    await place.pass(MINUTE);
    place.channel.crash();
    expect(sees(place).flatMap(([, ...names]) => names)).toEqual([]);
    await place.click(theo, "Continue");
    await place.pass(MINUTE);
    expect(sees(place).flatMap(([, ...names]) => names)).toEqual(["one.png"]);
  });
});

describe("a model's own pictures", () => {
  const files = [{ name: "picture-1.png", type: "image/png", data }];

  it("are an answer by themselves, which later turns read about", async () => {
    const place = await asked();
    place.channel.answer(done("", { files }));
    await place.pass(5000);
    expect(sees(place)).toEqual([["", "picture-1.png"]]);
    await place.ask(theo, "and now?");
    await place.pass(1000);
    expect(place.channel.requests.at(-1)?.messages[1]).toMatchObject({
      role: "assistant",
      text: "[Details]\nYou attached picture-1.png.",
    });
  });

  it("can be discarded and requested again, even if nothing is said", async () => {
    const place = await asked();
    place.channel.answer(done("", { files }));
    await place.pass(5000);
    await place.click(theo, "Regenerate");
    await place.pass(1000);
    place.channel.answer(
      done("", { files: [{ name: "picture-1.png", type: "image/png", data: new Uint8Array([4]) }] }),
    );
    await place.pass(5000);
    expect(sees(place)).toEqual([["", "picture-1.png"]]);
    await place.click(theo, "Delete");
    await place.pass(5000);
    expect(sees(place)).toEqual([[deletedText(0, true)]]);
  });

  it("come with the answer after the tools that the same message calls", async () => {
    const place = await asked();
    const [call] = calls("paint", "");
    place.channel.answer([{ ...call, files } as ModelEvent]);
    await place.pass(1000);
    place.channel.crash();
    await place.pass(MINUTE);
    place.channel.answer(done("Here."));
    await place.pass(5000);
    expect(sees(place)).toEqual([["Here.", "picture-1.png", "painting.png"]]);
  });
});
