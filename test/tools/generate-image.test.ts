// Drawing in a turn: the picture on the answer, its price on the turn, and no second picture for one wish, whatever dies.
import { describe, expect, it } from "vitest";
import { MAX_REPLY_FILES } from "../../src/core/limits.ts";
import type { MadePicture } from "../../src/core/state/media.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { generateImage } from "../../src/tools/generate-image.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { type AppHarness, createAppHarness } from "../support/app-harness.ts";

const { theo } = PEOPLE;
const PICTURE: MadePicture = { ok: true, type: "image/jpeg", data: new Uint8Array([1]), microUsd: 40_000 };
const draws = (...prompts: string[]): ModelEvent[] => [
  {
    kind: "end",
    finishReason: "tool_calls",
    calls: prompts.map((prompt, index) => ({
      id: `c${index}`,
      name: "generate_image",
      arguments: JSON.stringify({ prompt }),
    })),
    usage: { inputTokens: 10, outputTokens: 5, costMicroUsd: 7 },
  },
];
const done: ModelEvent[] = [
  { kind: "text", text: "Here." },
  { kind: "end", finishReason: "stop", calls: [], usage: null },
];

/** A turn in which the model draws, and what the provider was asked for. */
async function drawn(answer: () => MadePicture | Promise<MadePicture>, calls: ModelEvent[] = draws("a cat")) {
  const asked: string[] = [];
  const drawPicture = async (prompt: string) => {
    asked.push(prompt);
    return answer();
  };
  const place = createAppHarness({ tools: [generateImage], media: { drawPicture } });
  await place.ask(theo, "draw a cat");
  await place.pass(1000);
  const id = place.channel.store.state().running?.id ?? "";
  place.channel.answer(calls);
  await place.pass(1000);
  return { place, asked, turn: () => place.channel.store.turn(id) };
}
const files = ({ discord }: AppHarness) =>
  discord
    .messages(PLACES.general, theo)
    .flatMap(({ author, attachments }) => (author.bot ? attachments.map(({ filename }) => filename) : []));
const heard = ({ channel }: AppHarness) =>
  (channel.requests.at(-1)?.messages ?? []).flatMap(({ role, text }) => (role === "tool" ? [text] : []));

describe("a picture", () => {
  it("is attached to the answer, and its price is added to the turn's cost", async () => {
    const { place, asked, turn } = await drawn(() => PICTURE);
    expect(turn()?.usage).toMatchObject({ modelCalls: 1, microUsd: 40_007 });
    place.channel.answer(done);
    await place.pass(5000);
    expect([asked, files(place)]).toEqual([["a cat"], ["drawing.jpg"]]);
  });

  it("without a known price leaves the cost as it is", async () => {
    const { turn } = await drawn(() => ({ ...PICTURE, microUsd: null }));
    expect(turn()?.usage.microUsd).toBe(7);
  });

  it("is not drawn again after a death while it is drawn, and the model reads that the outcome is unknown", async () => {
    const { place, asked } = await drawn(() => new Promise(() => {}));
    place.channel.crash();
    await place.pass(60_000);
    expect(asked).toEqual(["a cat"]);
    expect(heard(place)[0]).toContain("interrupted");
    place.channel.answer(done);
    await place.pass(5000);
    expect(files(place)).toEqual([]);
  });

  it("costs nothing if the provider refuses it, and the model reads a sentence", async () => {
    const error = "the provider refuses to draw this because of its content rules";
    const { place, turn } = await drawn(() => ({ ok: false, error, isBlocked: true }));
    expect(heard(place)[0]).toContain(error);
    expect(turn()?.usage.microUsd).toBe(7);
  });

  it("is not paid for once the answer has as many files as it can have", async () => {
    const prompts = Array.from({ length: MAX_REPLY_FILES + 1 }, (_, index) => `cat ${index}`);
    const { asked, place } = await drawn(() => PICTURE, draws(...prompts));
    expect(asked).toHaveLength(MAX_REPLY_FILES);
    expect(heard(place).at(-1)).toContain(`one answer can have ${MAX_REPLY_FILES} files`);
  });

  it("is not drawn once the channel's money for today is used up", async () => {
    const { place, asked } = await drawn(() => PICTURE);
    place.channel.store.putSetting("channel_usd_per_day", "0.01");
    place.channel.answer(draws("another"));
    await place.pass(5000);
    expect(asked).toEqual(["a cat"]);
    expect(place.reads().join("\n")).toContain("used up its $0.01");
  });
});

it("nothing is drawn if no model draws", async () => {
  const place = createAppHarness({ tools: [generateImage] });
  await place.ask(theo, "draw a cat");
  await place.pass(1000);
  expect(place.channel.requests[0]?.tools).toEqual([]);
});
