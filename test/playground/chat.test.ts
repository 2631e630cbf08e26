// `npm run chat` against a fake playground: what the terminal shows, and the exit code that a script reads.
import { describe, expect, it } from "vitest";
import { chat } from "../../src/playground/chat.ts";
import { nextPrint } from "../../src/playground/terminal-text.ts";

type Part = {
  id?: string;
  content?: string;
  loading?: boolean;
  stop?: boolean;
  asks?: boolean;
  ephemeral?: boolean;
  failed?: string;
  interaction?: object;
  repliesTo?: { id: string } | null;
  nonce?: string;
  author?: { id: string; bot: boolean };
};

const rowOf = (...labels: string[]) => [{ type: 1, components: labels.map((label) => ({ type: 2, label })) }];
const message = ({ stop, asks, ...part }: Part) => ({
  id: "r",
  author: { id: "bot", bot: true },
  content: "",
  ephemeral: false,
  loading: false,
  components: asks ? rowOf("Approve", "Deny", "Stop") : stop ? rowOf("Stop") : [],
  ...part,
});

/** Runs the command over the states that the channel passes through after it was spoken to. */
async function run(states: Part[][], { args = ["hello"], said = { ok: true, messageId: "r" } as object } = {}) {
  let [out, aside] = ["", ""];
  const asked: unknown[] = [];
  const world = {
    people: [
      { id: "1", name: "Mira" },
      { id: "2", name: "Theo" },
    ],
    servers: [
      { id: "s", name: "Lounge" },
      { id: "t", name: "Lighthouse" },
    ],
    channels: [
      { id: "c", name: "general", serverId: "s" },
      { id: "d", name: "general", serverId: "t" },
    ],
  };
  const fetch = async (url: unknown, init?: RequestInit) => {
    const { pathname, search } = new URL(String(url));
    asked.push(init?.body ? JSON.parse(String(init.body)) : pathname + search);
    // Mira is in one of the servers.
    const channels = world.channels.filter(({ serverId }) => search !== "?as=1" || serverId === "s");
    if (pathname === "/local/state") return Response.json({ ...world, channels });
    if (pathname === "/local/say") return Response.json(said);
    const events = [[], ...states]
      .map((parts) => `data: ${JSON.stringify({ messages: parts.map(message) })}\n\n`)
      .join("");
    // Cut in the middle of characters and lines, as a socket may do.
    const bytes = new TextEncoder().encode(events);
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.slice(index * 7, index * 7 + 7),
    );
    return new Response(ReadableStream.from(pieces));
  };
  const code = await chat(args, {
    fetch: fetch as typeof globalThis.fetch,
    out: (text) => (out += text),
    aside: (text) => (aside += text),
  });
  return { code, out, aside, asked };
}

describe("npm run chat", () => {
  it("prints nothing of an answer that a terminal would act upon", async () => {
    const { out, aside } = await run([
      [{ content: "See\u001b]52;c;eA==\u0007\tthis\n\n-# `a\u009b2J`", stop: true }],
      [{}],
    ]);
    expect([out, aside].join("")).toContain("See\ufffd]52;c;eA==\ufffd\tthis");
    expect([out, aside].join("").replaceAll(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
  });

  it("prints an answer as it grows, keeps status lines out of it, and exits with 0 when the Stop button is gone", async () => {
    const { code, out, aside, asked } = await run([
      [{ loading: true }],
      [{ content: "Let me see.\n-# Using `roll_dice` …", stop: true }],
      [{ content: "Let me see. 🎲 4", stop: true }],
      [{ content: "Let me see. 🎲 4 and 2." }],
    ]);
    expect({ code, out, aside }).toEqual({
      code: 0,
      out: "Let me see. 🎲 4 and 2.\n",
      aside: "\n· Using `roll_dice` …\n",
    });
    expect(asked).toEqual([
      "/local/state",
      "/local/state?as=1",
      "/local/events?channel=c&as=1",
      { channel: "c", as: "1", message: "hello" },
    ]);
  });

  it("writes names and times in words, and prints neither before it is complete", async () => {
    const at = Math.floor(Date.now() / 1000) + 7_300;
    const { out } = await run([
      [{ content: "Ask <@2", stop: true }],
      [{ content: `Ask <@2> or <@&9> <t:${at}`, stop: true }],
      [{ content: `Ask <@2> or <@&9> <t:${at}:R>, not \`<@2>\`, on <t:${at}>.\n-# See <#9>.` }],
    ]);
    const day = new Date(at * 1000).toLocaleString([], { dateStyle: "long", timeStyle: "short" });
    expect(out).toBe(`Ask @Theo or @unknown in 2 hours, not \`<@2>\`, on ${day}.\n· See #unknown.\n`);
  });

  it("says once where to click while an answer needs approval", async () => {
    const question = "-# ⚠️ This needs approval from <@1>. Click Approve or Deny:\n-# `purge`";
    const { aside, out } = await run([
      [{ content: question, asks: true }],
      [{ content: question, asks: true, id: "r" }],
      [{ content: "Purged.", stop: true }],
      [{ content: "Purged." }],
    ]);
    expect(aside).toBe(
      "· ⚠️ This needs approval from @Mira. Click Approve or Deny:\n· `purge`\n" +
        "· Approve and Deny are on the page: http://127.0.0.1:8787/?channel=c&as=1\n",
    );
    expect(out).toBe("Purged.\n");
  });

  it("continues through followups, whatever others ask meanwhile, until the first message loses its button", async () => {
    const other = { id: "x", content: "for Theo", interaction: { userId: "2", text: "me too" } };
    const more = { id: "f", repliesTo: { id: "r" } };
    const { code, out } = await run([
      [{ content: "one two three", stop: true }],
      [{ content: "one two", stop: true }, other, { ...more, content: "three four" }],
      [{ content: "one two" }, other, { ...more, content: "three four five" }],
    ]);
    expect([code, out]).toEqual([0, "one two three four five\n"]);
  });

  it("prints nothing of an answer to somebody else that is written below it", async () => {
    const waits = { content: "-# Waiting: number 1 in the queue." };
    const story = { id: "x", content: "The parrot spoke.", repliesTo: { id: "w" }, stop: true };
    const end = { id: "f", content: "two", repliesTo: { id: "r" } };
    const { code, out, aside } = await run([
      [waits],
      [waits, story],
      [{ content: "one", stop: true }, story],
      [{ content: "one" }, story, end],
    ]);
    expect([code, out, aside]).toEqual([0, "one\ntwo\n", "· Waiting: number 1 in the queue.\n"]);
  });

  it("prints no further message of an answer to a mention that is written below it", async () => {
    const story = { id: "x", content: "The parrot spoke.", repliesTo: { id: "q" }, nonce: "77-0" };
    const rest = { id: "y", content: "Then it slept.", nonce: "77-1", stop: true };
    const { code, out } = await run([
      [{ loading: true }, story, rest],
      [{ content: "one" }, story, rest],
    ]);
    expect([code, out]).toEqual([0, "one\n"]);
  });

  it("continues through messages sent with the bot's own token, and through those of a persona below its first line", async () => {
    const said = { ok: true, messageId: "r", interactionId: "9" };
    const rest = { id: "f", content: "two", nonce: "9-1" };
    const spoken = { id: "p", content: "Arr.", author: { id: "bot/Ahab", bot: true } };
    expect((await run([[{ content: "one" }, rest]], { said })).out).toBe("one\ntwo\n");
    expect((await run([[{ content: "-# Ahab" }, spoken]], { said })).out).toBe("· Ahab\nArr.\n");
  });

  it("prints the end of a code block once, however often the growing block was closed", async () => {
    const { out } = await run([
      [{ content: "Try:\n```sh\nnpm\n```", stop: true }],
      [{ content: "Try:\n```sh\nnpm start\n```\n\n-# Using `x` …", stop: true }],
      [{ content: "Try:\n```sh\nnpm start\n```\nThat", stop: true }],
      [{ content: "Try:\n```sh\nnpm start\n```\nThat is all." }],
    ]);
    expect(out).toBe("Try:\n```sh\nnpm start\n```\nThat is all.\n");
  });

  it("does not mistake a queue position for an answer", async () => {
    const { code, out, aside } = await run([
      [{ content: "-# Waiting: number 1 in the queue." }],
      [{ content: "Here." }],
    ]);
    expect([code, out, aside]).toEqual([0, "Here.\n", "· Waiting: number 1 in the queue.\n"]);
  });

  it("finds the reply by its person and question if the playground can't name it yet", async () => {
    const mine = { interaction: { userId: "1", text: "hello" } };
    const { code, out } = await run([[], [{ content: "Hi", ...mine }]], { said: { ok: true } });
    expect([code, out]).toEqual([0, "Hi\n"]);
  });

  it.each<[what: string, states: Part[][], said: object, aside: RegExp]>([
    ["an error at the end", [[{ content: "half\n-# ⚠️ The model failed." }]], { ok: true, messageId: "r" }, /^$/],
    ["a refusal", [[{ content: "The queue is full.", ephemeral: true }]], { ok: true, messageId: "r" }, /^$/],
    [
      "no answer to the interaction",
      [[{ failed: "The application did not respond" }]],
      { ok: true, messageId: "r" },
      /did not respond/,
    ],
    ["a message that the client refused", [], { ok: false, error: "Too long." }, /^Too long\.$/m],
    ["a deleted answer", [[{ loading: true }], []], { ok: true, messageId: "r" }, /was deleted/],
    [
      "a lost connection",
      [[{ content: "half", stop: true }]],
      { ok: true, messageId: "r" },
      /connection to the playground was lost/,
    ],
  ])("exits with 1 on %s", async (_, states, said, aside) => {
    const result = await run(states, { said });
    expect(result.code).toBe(1);
    expect(result.aside).toMatch(aside);
  });

  it.each([
    ["nothing", () => Promise.reject(new TypeError("fetch failed"))],
    ["another program", async () => Response.json({ error: "Not found" })],
  ])("says in one sentence that no playground is running if %s answers", async (_, fetch) => {
    let aside = "";
    expect(
      await chat(["hi", "--url", "http://127.0.0.1:1/"], { fetch, out: () => {}, aside: (text) => (aside += text) }),
    ).toBe(1);
    expect(aside).toBe("No playground answers at http://127.0.0.1:1: start one with `npm start`.\n");
  });

  it("speaks as the named person, and lists the people if no one has that name", async () => {
    expect(
      (await run([[{ content: "Hi" }]], { args: ["two", "words", "--as", "theo", "--channel", "#general"] })).asked.at(
        -1,
      ),
    ).toEqual({ channel: "c", as: "2", message: "two words" });
    const { aside, code } = await run([], { args: ["hi", "--as", "nobody"] });
    expect([code, aside]).toEqual([2, 'There is no person "nobody". Choose one of: Mira, Theo.\n']);
  });

  it.each([
    [["--server", "nowhere"], 'Mira is not in the server "nowhere". Choose one of: Lounge.'],
    [["--server", "lighthouse", "--as", "mira"], 'Mira is not in the server "lighthouse". Choose one of: Lounge.'],
    [
      ["--server", "lounge", "--channel", "lobby"],
      'Mira can\'t see the channel "lobby" there. Choose one of: general.',
    ],
    [["--as", "theo", "--channel", "staff"], 'Theo can\'t see the channel "staff". Choose one of: general, general.'],
  ])("with %j says which name is wrong, and which ones exist", async (flags, sentence) => {
    const { code, aside, asked } = await run([], { args: ["hi", ...flags] });
    expect([code, aside, asked.filter((one) => typeof one !== "string")]).toEqual([2, `${sentence}\n`, []]);
  });

  it.each([
    [["--server", "Lighthouse"], "d"],
    [["--server", "lounge", "--channel", "general"], "c"],
    [["--server", "lighthouse", "--channel", "#general"], "d"],
  ])("with %j speaks in the channel of that server", async (flags, channel) => {
    const { asked } = await run([[{ content: "Hi" }]], { args: ["hi", "--as", "theo", ...flags] });
    expect(asked.at(-1)).toEqual({ channel, as: "2", message: "hi" });
  });

  it.each([
    [[], "The message is missing. Write it in quotes."],
    [["hi", "--frobnicate"], "Unknown option --frobnicate."],
    [["hi", "--url"], "--url needs a value."],
    [
      ["hi", "--url", "localhost:9000"],
      '--url must be an address such as http://127.0.0.1:8787, not "localhost:9000".',
    ],
    [["hi", "--port", "x"], '--port must be a number from 1 to 65535, not "x".'],
    [["hi", "--port", "1", "--url", "http://127.0.0.1:1"], "Give --port or --url, not both."],
  ])("refuses %j with one sentence and the usage, and asks nothing", async (args, sentence) => {
    const { code, out, aside, asked } = await run([], { args });
    expect([code, out, asked]).toEqual([2, "", []]);
    expect(aside.startsWith(`${sentence}\nUsage: npm run chat`)).toBe(true);
  });

  it("prints its usage as an answer, and asks nothing", async () => {
    const { code, out, aside, asked } = await run([], { args: ["--help"] });
    expect([code, aside, asked]).toEqual([0, "", []]);
    expect(out).toMatch(/^Usage: npm run chat/);
  });

  it.each([
    [[], "http://127.0.0.1:8787"],
    [["--port", "9000"], "http://127.0.0.1:9000"],
    [["--url", "https://example.org/parley/"], "https://example.org/parley"],
  ])("with %j asks %s", async (flags, base) => {
    const urls: string[] = [];
    const fetch = (url: unknown) => {
      urls.push(String(url));
      return Promise.reject(new TypeError("fetch failed"));
    };
    await chat(["hi", ...flags], { fetch, out: () => {}, aside: () => {} });
    expect(urls).toEqual([`${base}/local/state`]);
  });
});

describe("nextPrint", () => {
  it.each([
    ["", "Hello", "Hello", "Hello"],
    ["Hello", "Hello you", " you", "Hello you"],
    ["one two", "one\ntwo three", " three", "one\ntwo three"],
    ["one two three", "one two", "", "one two three"],
    ["first\nsecond line", "first\nother line", "\nother line", "first\nother line"],
  ])("after %j, prints only what is new in %j", (printed, text, print, after) => {
    expect(nextPrint(printed, text)).toEqual({ print, printed: after });
  });
});
