// What a person reads in the playground when the model misbehaves: in every case one clear ending, and the next message is
// answered.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { launchPlayground, type Playground } from "../../src/playground/launch.ts";
import { withoutQuestion } from "../support/shown-answer.ts";

const here = { channel: PLACES.general, as: PEOPLE.mira };
/** The smallest limits that may be set: a stalled model is given up after ten seconds. */
const vars = {
  BOT_MAX_FUNCTION_CALL_ITERATIONS: "4",
  STREAM_FIRST_TOKEN_TIMEOUT_MS: "10000",
  STREAM_SDK_CALL_TIMEOUT_MS: "10000",
};

let playground: Playground;
beforeAll(async () => {
  playground = await launchPlayground({ port: 0, quiet: true, vars });
  // One person asks more often here than people do.
  const options = { key: "turns_per_minute", value: "0" };
  await local("/local/interact", { kind: "command", name: "config", subcommand: "set", options, ...here });
});
afterAll(() => playground?.stop());

async function local(path: string, body?: unknown): Promise<unknown> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await fetch(playground.url + path, body === undefined ? {} : init)).json();
}

/** Says it, and reads the channel as it changes until the reply is done; the test's own time limit bounds it. */
async function ask(message: string): Promise<string> {
  expect(await local("/local/say", { ...here, message })).toMatchObject({ ok: true });
  const response = await fetch(`${playground.url}/local/events?channel=${here.channel}&as=${here.as}`);
  let text = "";
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const { messages } = JSON.parse(event.replace(/^data: /, "")) as { messages: LocalMessage[] };
      const reply = messages.findLast(({ interaction }) => interaction?.text === message);
      if (reply && !reply.loading && reply.content !== "" && !JSON.stringify(reply.components).includes('"stop:'))
        return withoutQuestion(reply.content);
    }
  }
  throw new Error("the stream ended");
}

describe("a misbehaving model", () => {
  it.each([
    [
      "run away",
      "They took my tools away after 3 rounds. I was just getting started!\n\n-# ⚠️ This answer used all the steps that one turn may take. Send another message to continue.",
    ],
    ["fail", "-# ⚠️ The model provider is overloaded. Try again in a minute."],
    ["stall", "-# ⚠️ The model stopped responding. Try again."],
    ["say nothing", "-# ⚠️ The model gave an empty answer. Try again, or try rephrasing."],
    [
      "cut off",
      "I was about to tell you the most important thing of\n\n-# ⚠️ The connection to the model was lost. Try again.",
    ],
    [
      "run out of words",
      "I could go on about this for hours, if only somebody\n\n-# ⚠️ The answer was cut off at the model's length limit. Send another message to continue.",
    ],
    [
      "broken tool",
      "`roll_dice` did not work: the arguments were cut off, so nothing ran; call again with smaller arguments",
    ],
    ["unknown tool", expect.stringMatching(/^`consult_the_oracle` did not work: unknown tool: .* roll_dice\b.*$/)],
  ])("gives one clear ending for: %s", async (message, reply) => {
    expect(await ask(message)).toEqual(reply);
  });

  it("still answers the next message afterwards, and no rule of Discord is broken", async () => {
    expect(await ask("roll 2d6")).toMatch(/\d/);
    expect([await local("/local/violations"), await local("/local/pinged")]).toEqual([[], []]);
  });
});
