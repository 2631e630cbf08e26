// The whole playground as a person starts it: one wrangler, both Workers, over real HTTP on loopback; chat, which asks it; and what a
// person reads when the model misbehaves.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { launchPlayground, type Playground } from "../../src/playground/launch.ts";
import { freePort } from "../../src/playground/port.ts";
import { PATIENT } from "../support/e2e-harness.ts";
import { runCommand, runScript } from "../support/process.ts";
import { ROOT } from "../support/product.ts";
import { openButtons, withoutQuestion } from "../support/shown-answer.ts";

/** The smallest limits that can be set: a stalled model is given up after ten seconds. */
const vars = {
  BOT_MAX_FUNCTION_CALL_ITERATIONS: "4",
  STREAM_FIRST_TOKEN_TIMEOUT_MS: "10000",
  STREAM_SDK_CALL_TIMEOUT_MS: "10000",
};

let playground: Playground;
const here: { channel: string; as: string } = { channel: PLACES.general, as: PEOPLE.mira };

async function ask(path: string, body?: unknown): Promise<unknown> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await fetch(playground.url + path, body === undefined ? {} : init)).json();
}

/** The messages of a channel, and again after each change, over one connection. */
async function* messagesOf(where = here): AsyncGenerator<LocalMessage[], void> {
  const response = await fetch(`${playground.url}/local/events?channel=${where.channel}&as=${where.as}`);
  const lines = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const chunk of lines) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    // A comment says only that the connection is alive.
    for (const event of events.filter((one) => one.startsWith("data: ")))
      yield (JSON.parse(event.slice("data: ".length)) as { messages: LocalMessage[] }).messages;
  }
}

/** Reads the stream of a channel until its messages are as wanted; the test's own time limit bounds it. */
async function until(isWanted: (messages: LocalMessage[]) => boolean, where = here): Promise<LocalMessage[]> {
  for await (const messages of messagesOf(where)) if (isWanted(messages)) return messages;
  throw new Error("The stream ended.");
}

/** Says it, and waits for the whole reply. */
async function replyTo(message: string): Promise<string> {
  expect(await ask("/local/say", { ...here, message })).toMatchObject({ ok: true });
  const replyIn = (messages: LocalMessage[]) => messages.findLast(({ interaction }) => interaction?.text === message);
  const messages = await until((all) => {
    const reply = replyIn(all);
    const isStreaming = JSON.stringify(reply?.components).includes('"stop:');
    return reply !== undefined && !reply.loading && reply.content !== "" && !isStreaming;
  });
  return withoutQuestion(replyIn(messages)?.content ?? "");
}

beforeAll(async () => {
  playground = await launchPlayground({ port: 0, quiet: true, vars });
  await ask("/local/options", PATIENT);
});
afterAll(() => playground?.stop());

describe("the playground", () => {
  it("answers a person through the product, the local Discord and the local model, without a violation", async () => {
    expect(await ask("/local/say", { ...here, message: "roll 2d6" })).toMatchObject({ ok: true });
    const [answer] = await until(
      ([first]) => first !== undefined && first.content !== "" && openButtons(first.components).length === 0,
    );
    expect(answer).toMatchObject({
      author: { bot: true },
      loading: false,
      interaction: { command: "/chat", text: "roll 2d6" },
    });
    expect([await ask("/local/violations"), await ask("/local/pinged")]).toEqual([[], []]);
  });

  it.each([
    ["the owner in their server", PEOPLE.juno, PLACES.staff],
    ["the owner in direct messages", PEOPLE.juno, PLACES.dmOfJuno],
    ["a member in a thread", PEOPLE.theo, PLACES.thread],
    ["a member in another server", PEOPLE.theo, PLACES.lobby],
    ["a stranger in their own server", PEOPLE.wren, PLACES.lobby],
    ["a stranger who brought the application along", PEOPLE.wren, PLACES.groupDm],
  ])("answers %s", async (_, as, channel) => {
    const where = { as, channel };
    expect(await ask("/local/say", { ...where, message: "hello" })).toMatchObject({ ok: true });
    const messages = await until((all) => all.some(({ content }) => /^(> hello\n)?Ahoy/.test(content)), where);
    expect(messages.at(-1)).toMatchObject({ ephemeral: false, interaction: { userId: as, text: "hello" } });
    expect(await ask("/local/violations")).toEqual([]);
  });

  it("reads a page for a person, and may read no page but its own", async () => {
    expect(await replyTo(`read ${playground.url}/`)).toContain(
      "With the local model, everything stays on this machine",
    );
  });

  it("serves its page and the product's routes, and refuses requests from another page", async () => {
    const page = await (await fetch(playground.url)).text();
    expect(page).toContain("page.js");
    expect(await ask("/health")).toMatchObject({ ok: true });
    expect(await ask("/inspect.json")).toMatchObject({ servers: expect.any(Array) });
    const signIn = `${playground.url}/oauth/callback`;
    expect(await ask("/oauth/client.json")).toMatchObject({ redirect_uris: [signIn] });
    const foreign = await fetch(`${playground.url}/local/state`, { headers: { origin: "https://example.org" } });
    expect(foreign.status).toBe(403);
    // Another page may not show it in a frame either, below something else that a person clicks.
    const framed = await fetch(playground.url);
    expect([framed.status, framed.headers.get("content-security-policy")]).toEqual([200, "frame-ancestors 'self'"]);
  });

  it("lets a second one on its port fail with a message that the port is busy", async () => {
    const port = Number(new URL(playground.url).port);
    await expect(launchPlayground({ port })).rejects.toThrow(`Port ${port} is busy.`);
  });

  it("says at once which Worker does not build, and why", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-"));
    await writeFile(
      join(folder, "wrangler.toml"),
      'name = "parley"\nmain = "root.ts"\ncompatibility_date = "2026-10-01"\n',
    );
    await writeFile(join(folder, "root.ts"), 'import "./absent.ts";\n');
    const launched = launchPlayground({ port: 0, quiet: true, productConfig: join(folder, "wrangler.toml") });
    await expect(launched).rejects.toThrow(/absent\.ts/);
    await rm(folder, { recursive: true });
  });

  it("is unaffected, with its streams open, while another of the same checkout starts and ends with its npm", async () => {
    const shown = messagesOf();
    expect((await shown.next()).done).toBe(false);
    const port = String(await freePort(0));
    // npm ends only its shell.
    const { out } = await runScript("start", ["--port", port, "--fresh"], {}, "Parley is at");
    expect(out).toContain(`Parley is at http://127.0.0.1:${port}`);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");
    await rm(join(ROOT, ".wrangler/playground", port), { recursive: true });
    // A restart of this one's Workers would have cut the stream, which still shows what people write. No answer has to come in that time.
    const content = "Still here.";
    expect(await ask("/local/speak", { ...here, content })).toMatchObject({ ok: true });
    for (let isSeen = false; !isSeen; ) {
      const { done, value: messages } = await shown.next();
      expect(done).toBe(false);
      isSeen = messages?.some((one) => one.content === content) ?? false;
    }
    await shown.return();
  });
});

describe("npm run chat", () => {
  const chat = (message: string) => runScript("chat", [message, "--url", playground.url]);
  const chatByPort = (message: string) => runCommand("chat", [message, "--port", new URL(playground.url).port]);

  it("prints an answer that a tool helped with, and succeeds", async () => {
    const { code, out } = await chat("what time is it in Tokyo?");
    expect([code, out]).toEqual([0, expect.stringMatching(/Tokyo[\s\S]*\n$/)]);
    const asked = (await ask("/local/model/log")) as { body: { messages: object[] } }[];
    expect(asked.at(-1)?.body.messages.at(-1)).toMatchObject({ role: "tool", tool_call_id: expect.any(String) });
  });

  it("fails if the answer is an error", async () => {
    const { code, out } = await chatByPort("fail");
    expect([code, out]).toEqual([1, expect.stringContaining("⚠️")]);
  });

  it("fails without a playground, and says how to start one", async () => {
    const { code, out, err } = await runCommand("chat", ["hello", "--url", "http://127.0.0.1:9"]);
    expect([code, out, err]).toEqual([1, "", expect.stringContaining("npm start")]);
  });
});

describe("a misbehaving model", () => {
  beforeAll(async () => {
    // One person asks more often here than people do.
    const options = { key: "turns_per_minute", value: "0" };
    await ask("/local/interact", { kind: "command", name: "config", subcommand: "set", options, ...here });
  });

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
    expect(await replyTo(message)).toEqual(reply);
  });

  it("still answers the next message afterwards, and no rule of Discord is broken", async () => {
    expect(await replyTo("roll 2d6")).toMatch(/\d/);
    expect([await ask("/local/violations"), await ask("/local/pinged")]).toEqual([[], []]);
  });
});
