// The files of a reply on their way to the local Discord: they come once, with the last edit or message, whatever is lost on the way.
import { describe, expect, it } from "vitest";
import { filesRefused } from "../../../src/core/copy/files.ts";
import { say } from "../../../src/core/copy/notices.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Delivery, delivery } from "../../support/pump-harness.ts";

const OK = { ok: true };
const FILES = [
  { name: "picture-1.png", type: "image/png", data: new Uint8Array([1, 2, 3]) },
  { name: "sound-2.mp3", type: "audio/mpeg", data: new Uint8Array([4, 5]) },
];
const NAMES = FILES.map(({ name }) => name);

/** The names of the files that Theo sees, message by message, from the bot alone. */
const sees = ({ discord }: Delivery, channel: string = PLACES.general) =>
  discord
    .messages(channel, PEOPLE.theo)
    .flatMap(({ author, attachments }) => (author.bot ? [attachments.map(({ filename }) => filename)] : []));

describe("the files of a reply", () => {
  it("come with its last edit, in one request", async () => {
    const reply = await delivery();
    reply.show("Here");
    await reply.clock.advance(2000);
    expect(await reply.finish("Here it is.", null, FILES)).toEqual(OK);
    expect(reply.requests()).toEqual([
      '150 PATCH original "Here" +stop → 200',
      '2000 PATCH original "Here it is." -stop picture-1.png sound-2.mp3 → 200',
    ]);
    expect(reply.bodies()[1]).toEqual({
      content: "Here it is.",
      components: [],
      attachments: [
        { id: "0", filename: "picture-1.png" },
        { id: "1", filename: "sound-2.mp3" },
      ],
      flags: 4,
      allowed_mentions: { parse: [] },
    });
    expect(sees(reply)).toEqual([NAMES]);
    expect(reply.discord.violations).toEqual([]);
  });

  it("arrive byte for byte", async () => {
    const reply = await delivery();
    await reply.finish("Here it is.", null, FILES);
    const stored = reply.discord
      .messages(PLACES.general, PEOPLE.theo)
      .flatMap(({ attachments }) => attachments.map(({ url = "" }) => url));
    const bytes = await Promise.all(
      stored.map(async (url) => (await reply.discord.fetch(new Request(url))).arrayBuffer()),
    );
    expect(bytes.map((one) => [...new Uint8Array(one)])).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it("come with the replacement line if a filter blocks the words", async () => {
    const reply = await delivery();
    reply.discord.failNext(1, Response.json({ code: 200_000, message: "Blocked" }, { status: 400 }));
    expect(await reply.finish("Here it is.", null, FILES)).toEqual({ ok: true, isBlocked: true });
    expect([reply.reads(), sees(reply)]).toEqual([[say.blocked], [NAMES]]);
  });

  it("stay away if the filter blocks them too, and the line says so", async () => {
    const reply = await delivery();
    reply.discord.failNext(2, Response.json({ code: 200_000, message: "Blocked" }, { status: 400 }));
    expect(await reply.finish("Here it is.", null, FILES)).toEqual({ ok: true, isBlocked: true });
    expect([reply.reads(), sees(reply)]).toEqual([[`${say.blocked}\n${filesRefused(NAMES)}`], [[]]]);
  });

  it("come without any words", async () => {
    const reply = await delivery();
    expect(await reply.finish("", null, FILES)).toEqual(OK);
    expect(reply.requests()).toEqual(['0 PATCH original "" -stop picture-1.png sound-2.mp3 → 200']);
  });

  it("come with the bot's first message, which a lost answer does not duplicate", async () => {
    const reply = await delivery({}, [], { unasked: true });
    let isFirst = true;
    reply.network(() => {
      const mischief = isFirst ? "lose the answer" : null;
      isFirst = false;
      return mischief;
    });
    expect(await reply.finish("Here it is.", null, FILES)).toEqual(OK);
    // Discord recognizes the repetition; the edit afterwards replaces the files that may be there with the same ones.
    expect(reply.requests().map((line) => line.replace(/^\d+ /, ""))).toEqual([
      'POST bot-message "Here it is." picture-1.png sound-2.mp3 → 200',
      'POST bot-message "Here it is." picture-1.png sound-2.mp3 → 200',
      'PATCH bot-part "Here it is." -stop picture-1.png sound-2.mp3 → 200',
    ]);
    // The message before it is the deferred one of another reply.
    expect(sees(reply)).toEqual([[], NAMES]);
  });

  it("come through a persona's webhook, and on the last of several messages", async () => {
    const reply = await delivery({}, [], { voiced: true });
    expect(await reply.finish("word ".repeat(500), null, FILES)).toEqual(OK);
    expect(sees(reply, PLACES.thread)).toEqual([[], NAMES]);
  });

  it("are there once after an edit whose answer was lost", async () => {
    const reply = await delivery();
    let lost = 0;
    reply.network(() => (lost++ === 0 ? "lose the answer" : null));
    expect(await reply.finish("Here it is.", null, FILES)).toEqual(OK);
    expect([lost, sees(reply)]).toEqual([2, [NAMES]]);
  });

  it("are there once if another life makes the same last edit", async () => {
    const reply = await delivery();
    await reply.finish("Here it is.", null, FILES);
    const delivered = reply.resumed().finish({ text: "Here it is.", line: null, files: FILES });
    await reply.clock.advance(5000);
    expect([await delivered, sees(reply)]).toEqual([OK, [NAMES]]);
  });

  it("come next to the whole answer as a file, if the messages can't carry it", async () => {
    const reply = await delivery({}, [], { maxMessages: 1 });
    expect(await reply.finish("word ".repeat(500), null, FILES)).toEqual(OK);
    expect(sees(reply)).toEqual([["answer.md", ...NAMES]]);
  });

  it("get a message of their own if the other messages belong to an old token", async () => {
    const reply = await delivery({}, [{ state: "sent", id: "1", frozen: true, endsAt: 11 }]);
    expect(await reply.finish("Here it is.", null, FILES)).toEqual(OK);
    expect(reply.requests()).toEqual(['0 POST followup "" picture-1.png sound-2.mp3 → 200']);
  });
});

describe("the arguments attached to a request for approval", () => {
  const file = { name: "arguments.txt", text: "all of it" };
  const ask = ({ pump }: Delivery) => void pump.ask({ text: "I could.", line: "-# May I?", asks: true, file });
  const done = { text: "I could.", line: null };

  it("disappear with the line, even if another life continues", async () => {
    const reply = await delivery();
    ask(reply);
    await reply.clock.advance(5000);
    expect(sees(reply)).toEqual([["arguments.txt"]]);
    await reply.resumed().finish(done);
    expect([reply.reads(), sees(reply)]).toEqual([["I could."], [[]]]);
  });

  it.each([
    ["below words", "I could.", 2],
    ["the first of all", "", 1],
  ])("disappear with the line, even if the answer to its edit, %s, was lost", async (_, before, edits) => {
    const reply = await delivery();
    reply.show(before);
    await reply.clock.advance(5000);
    let lost = 0;
    reply.network(() => (lost++ === 0 ? "lose the answer" : null));
    ask(reply);
    await reply.clock.advance(200);
    expect([reply.requests().length, sees(reply)]).toEqual([edits, [["arguments.txt"]]]);
    expect(await reply.finish("I could.")).toEqual(OK);
    expect([lost, reply.reads(), sees(reply)]).toEqual([2, ["I could."], [[]]]);
  });

  it("are named if Discord refuses them, and then the call can be denied but not approved unread", async () => {
    const reply = await delivery();
    reply.network((_, hasFiles) => (hasFiles ? "refuse" : null));
    ask(reply);
    await reply.clock.advance(5000);
    expect(reply.reads()).toEqual([`I could.\n\n-# May I?\n${filesRefused(["arguments.txt"])}`]);
    expect(reply.requests().at(-1)).toContain("+deny+stop → 200");
    expect(await reply.finish("Then not.")).toEqual(OK);
    expect([reply.reads(), reply.requests().length]).toEqual([["Then not."], 2]);
    expect(reply.requests().at(-1)).toContain("-stop → 200");
  });
});

describe("files that Discord refuses", () => {
  it.each([
    ["because they are too large", 413, 40_005],
    ["because the bot may not attach any", 403, 50_013],
  ])("%s leave the words, and are named", async (_why, status, code) => {
    const reply = await delivery();
    reply.discord.failNext(1, Response.json({ code, message: "no" }, { status }));
    expect(await reply.finish("Here it is.", null, FILES)).toEqual(OK);
    expect(reply.reads().at(-1)).toBe(
      "Here it is.\n\n-# ⚠️ Discord did not accept `picture-1.png`, `sound-2.mp3`. Ask a moderator, if there is one, whether I may attach files here.",
    );
    expect(sees(reply)).toEqual([[]]);
  });

  const LONG = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(" ");
  /** What Theo reads of the reply, as one text. */
  const words = (reply: Delivery) => reply.reads().join(" ").replaceAll(/\s+/g, " ").trim();

  /** A reply for which Discord refuses every request with a file. */
  const withoutFiles = async (...how: Parameters<typeof delivery>) => {
    const reply = await delivery(...how);
    reply.network((_, hasFiles) => (hasFiles ? "refuse" : null));
    return reply;
  };

  it("don't take away the last words of a full message", async () => {
    const text = `${"word ".repeat(398)}the end.`;
    const reply = await withoutFiles();
    expect(await reply.finish(text, null, FILES)).toEqual(OK);
    expect(words(reply)).toBe(`${text} ${filesRefused(NAMES)}`);
    const emoji = "😀".repeat(1500);
    const other = await withoutFiles();
    await other.finish(emoji, null, FILES);
    expect(words(other)).toBe(`${emoji} ${filesRefused(NAMES)}`);
  });

  it("let the whole answer come in more messages if it was to be one of the files", async () => {
    const reply = await withoutFiles({}, [], { maxMessages: 2 });
    expect(await reply.finish(LONG, "-# ⚠️ Cut.")).toEqual(OK);
    expect(words(reply)).toBe(`${LONG} -# ⚠️ Cut.`);
    expect(reply.reads().length).toBeGreaterThan(2);
  });

  it("let the whole answer come in more messages, even after messages that another life made", async () => {
    const reply = await withoutFiles({}, [], { maxMessages: 2 });
    await reply.finish(LONG);
    const delivered = reply.resumed().finish({ text: LONG, line: null });
    await reply.clock.advance(20_000);
    expect([await delivered, words(reply)]).toEqual([OK, LONG]);
  });

  it("are named, including the whole answer, if Discord takes no more messages either", async () => {
    const reply = await withoutFiles({}, [], { userInstallOnly: true, maxMessages: 2 });
    expect(await reply.finish("many words ".repeat(2000))).toEqual(OK);
    expect(reply.reads()).toHaveLength(6);
    expect(reply.reads().at(-1)).toMatch(/did not accept `answer\.md`\. Ask a moderator/);
  });

  it("are also named after the maximum number of messages", async () => {
    const reply = await withoutFiles({}, [], { maxMessages: 1 });
    expect(await reply.finish("many words ".repeat(6000))).toEqual(OK);
    expect(reply.reads()).toHaveLength(25);
    expect(reply.reads().at(-1)).toMatch(/did not accept `answer\.md`\. Ask a moderator/);
  });
});

it("the whole answer comes as a file if a further message was refused, and its plain form may or may not have been posted", async () => {
  const reply = await delivery();
  const outcomes = [
    Response.json({ message: "Invalid Form Body", code: 50035 }, { status: 400 }),
    Response.json({ message: "Bad Gateway", code: 0 }, { status: 502 }),
  ];
  reply.discord.addWeather(({ method }) => (method === "POST" ? (outcomes.shift() ?? null) : null));
  const answer = "word ".repeat(700).trim();
  expect(await reply.finish(answer)).toEqual(OK);
  expect(sees(reply)).toEqual([["answer.md"]]);
  expect(reply.reads().join("")).not.toContain(filesRefused(["answer.md"]));
});

it("the last words come with their file and buttons if Discord refused only the words before them", async () => {
  const reply = await delivery({}, [], { maxMessages: 1 });
  reply.show("word ".repeat(50));
  await reply.clock.advance(5000);
  reply.discord.failNext(1, Response.json({ message: "Invalid Form Body", code: 50035 }, { status: 400 }));
  const release = reply.hold();
  reply.show("word ".repeat(300));
  await reply.clock.advance(5000);
  const finished = reply.pump.finish({ text: "word ".repeat(700), line: null }, ["regenerate"]);
  release();
  await reply.clock.advance(20_000);
  expect(await finished).toEqual(OK);
  expect(sees(reply).flat()).toEqual(["answer.md"]);
  expect(reply.reads().join("")).not.toContain(filesRefused(["answer.md"]));
  expect(reply.requests().at(-1)).toMatch(/\+regenerate.* answer\.md → 200$/);
});
