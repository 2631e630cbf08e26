// The pump against the local Discord: every request of a reply, in order and at its time.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { TOKEN_LIFE_MS } from "../../../src/core/limits.ts";
import { type Delivery, delivery } from "../../support/pump-harness.ts";

const OK = { ok: true };
/** Words with exactly this many characters and no boundaries except blanks. */
const words = (length: number) => "word ".repeat(Math.ceil(length / 5)).slice(0, length);

/** Shows the text word by word, one every 100 ms. */
async function stream({ clock, show }: Delivery, count: number): Promise<string> {
  let text = "";
  for (let word = 0; word < count; word++) {
    text += `w${word} `;
    show(text);
    await clock.advance(100);
  }
  return text;
}

describe("a short answer", () => {
  it("is one request if it is complete before the first edit, with no Stop button and no pings", async () => {
    const reply = await delivery();
    reply.show("Hi");
    expect(await reply.finish("Hi there.")).toEqual(OK);
    expect(reply.requests()).toEqual(['0 PATCH original "Hi there." -stop → 200']);
    expect(reply.bodies()).toEqual([
      { content: "Hi there.", components: [], flags: 4, allowed_mentions: { parse: [] } },
    ]);
    expect(reply.ledger).toEqual([{ state: "sent", id: reply.messageId }]);
    expect(reply.clock.pending()).toBe(0);
  });

  it("is sent even if it was never shown before", async () => {
    const reply = await delivery();
    expect(await reply.finish("", "-# ⚠️ Nothing.")).toEqual(OK);
    expect(reply.requests()).toEqual(['0 PATCH original "-# ⚠️ Nothing." -stop → 200']);
  });

  it("takes one more request to remove the button if it is already shown in full", async () => {
    const reply = await delivery();
    reply.show("Hi");
    await reply.clock.advance(5000);
    expect(await reply.finish("Hi")).toEqual(OK);
    expect(reply.requests()).toEqual(['150 PATCH original "Hi" +stop → 200', "5000 PATCH original -stop → 200"]);
  });
});

describe("a streamed answer", () => {
  it("grows in its last message too, while that is not full", async () => {
    const reply = await delivery({}, [], { maxMessages: 1 });
    const text = await stream(reply, 31);
    const sent = reply.bodies().map(({ content }) => String(content).trim().split(" ").length);
    expect([sent, text.split(" ").length]).toEqual([[2, 14, 26], 32]);
  });

  it("starts after a short grace period, changes to the newest text every 1.2 s, and ends without its button", async () => {
    const reply = await delivery();
    const text = await stream(reply, 31);
    expect(await reply.finish(`${text}end`)).toEqual(OK);
    const shown = (count: number) => Array.from({ length: count }, (_, word) => `w${word} `).join("");
    const sent = reply.bodies().map(({ content }) => content);
    expect(sent).toEqual([shown(2), shown(14), shown(26), `${text}end`]);
    expect(reply.discord.log.map(({ at }) => at - (reply.discord.log[0]?.at ?? 0))).toEqual([0, 1200, 2400, 3600]);
    expect(reply.bodies().map(({ components }) => components)).toEqual([[expect.anything()], undefined, undefined, []]);
  });

  it("is not sent again while it does not change", async () => {
    const reply = await delivery();
    for (let times = 0; times < 10; times++) {
      reply.show("same");
      await reply.clock.advance(1500);
    }
    expect(reply.requests()).toEqual(['150 PATCH original "same" +stop → 200']);
    expect(reply.clock.pending()).toBe(0);
  });

  it("is not sent while it is blank", async () => {
    const reply = await delivery();
    reply.show(" \n\n");
    await reply.clock.advance(5000);
    expect(reply.requests()).toEqual([]);
  });

  it("shows a line below its text while tools run, and removes it afterwards", async () => {
    const reply = await delivery();
    reply.show("Let me see.", { line: "-# Using `roll_dice` …" });
    await reply.clock.advance(1000);
    reply.show("Let me see.");
    await reply.clock.advance(1000);
    expect(await reply.finish("Let me see.\n\nIt is 6.")).toEqual(OK);
    expect(reply.bodies().map(({ content }) => content)).toEqual([
      "Let me see.\n\n-# Using `roll_dice` …",
      "Let me see.",
      "Let me see.\n\nIt is 6.",
    ]);
  });

  it("is edited with one request at a time, and the newest text follows a slow one", async () => {
    const reply = await delivery();
    const release = reply.hold();
    reply.show("one");
    await reply.clock.advance(4000);
    reply.show("one two");
    reply.show("one two three");
    await reply.clock.advance(4000);
    release();
    await reply.clock.advance(0);
    expect(reply.requests()).toEqual([
      '8000 PATCH original "one" +stop → 200',
      '8000 PATCH original "one two three" → 200',
    ]);
  });

  it("returns to its own pace at once, even after a line that changed slowly", async () => {
    const reply = await delivery();
    reply.show("", { line: "-# Waiting: number 2.", gapMs: 5000 });
    await reply.clock.advance(1000);
    reply.show("", { line: "-# Waiting: number 1.", gapMs: 5000 });
    await reply.clock.advance(1000);
    reply.show("Hello");
    await reply.clock.advance(10_000);
    expect(reply.requests()).toEqual([
      '150 PATCH original "-# Waiting: number 2." +stop → 200',
      '2000 PATCH original "Hello" → 200',
    ]);
  });

  it("never misses new text, at whatever moment around the end of a request it arrives", async () => {
    for (let jobs = 0; jobs < 40; jobs++) {
      const reply = await delivery();
      const release = reply.hold();
      reply.show("old");
      await reply.clock.advance(150);
      release();
      // Each promise job is a separate moment at which text may arrive.
      for (let job = 0; job < jobs; job++) await Promise.resolve();
      reply.show("new");
      await reply.clock.advance(2000);
      expect([jobs, reply.reads()]).toEqual([jobs, ["new"]]);
    }
  });
});

describe("an answer longer than one message", () => {
  it("continues in followups while it grows, loses no character, and removes its button last", async () => {
    const reply = await delivery();
    const text = `${words(1999)}😀${"🦜".repeat(1990)}\n\n${words(500)}`;
    for (let end = 500; end < text.length; end += 500) {
      reply.show(text.slice(0, end));
      await reply.clock.advance(300);
    }
    expect(await reply.finish(text)).toEqual(OK);
    expect(reply.reads().join("")).toBe(text);
    expect(reply.requests()).toEqual([
      "40 PATCH original 500 +stop → 200",
      "1240 PATCH original 1995 → 200",
      "1690 POST followup 1004 → 200",
      "2440 PATCH part 2504 → 200",
      "3640 PATCH part 3988 → 200",
      "4090 POST followup 500 → 200",
      "4840 PATCH original -stop → 200",
    ]);
    expect(reply.ledger.map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
  });

  it("is sent part by part if it comes all at once, and keeps its button until the last part is there", async () => {
    const reply = await delivery();
    const text = words(9000);
    expect(await reply.finish(text)).toEqual(OK);
    expect(reply.requests()).toEqual([
      "0 PATCH original 2000 +stop → 200",
      "450 POST followup 2000 → 200",
      "900 POST followup 2000 → 200",
      "1350 POST followup 2000 → 200",
      "1800 POST followup 1000 → 200",
      "2250 PATCH original -stop → 200",
    ]);
    expect(reply.reads().join("")).toBe(text);
  });

  it("gives its closing line a message of its own if there is no room for it", async () => {
    const reply = await delivery();
    const text = "x".repeat(1990);
    reply.show(text, { line: "-# Using `roll_dice` …" });
    await reply.clock.advance(1000);
    expect(await reply.finish(text, "-# ⚠️ Stopped.")).toEqual(OK);
    expect(reply.reads()).toEqual([text, "-# ⚠️ Stopped."]);
  });

  it("creates a new message without its progress line, which would stay there if the message got out of reach", async () => {
    const reply = await delivery();
    const text = words(2500);
    const line = "-# Using `roll_dice` …";
    reply.network((method) => (method === "POST" ? "lose the answer" : null));
    reply.show(text.slice(0, 1500), { line });
    await reply.clock.advance(2000);
    reply.show(text, { line });
    await reply.clock.advance(2000);
    expect(reply.reads().map((content) => content.length)).toEqual([2000, 500]);
    expect(await reply.finish(text)).toEqual(OK);
    expect(reply.reads().join("")).not.toContain(line);
  });

  it("has its progress line in its last message as soon as that is created", async () => {
    const reply = await delivery();
    const text = words(2500);
    const line = "-# Using `roll_dice` …";
    reply.show(text, { line });
    await reply.clock.advance(4000);
    expect(reply.reads()).toEqual([text.slice(0, 2000), `${text.slice(2000).trimEnd()}\n\n${line}`]);
    expect(reply.requests()).toEqual([
      "40 PATCH original 2000 +stop → 200",
      "490 POST followup 500 → 200",
      "1240 PATCH part 523 → 200",
    ]);
  });

  it("is attached in full, and says so, if it exceeds the maximum number of messages", async () => {
    const reply = await delivery();
    const text = words(10_001);
    reply.show(text.slice(0, 6001));
    await reply.clock.advance(10_000);
    reply.show(text);
    await reply.clock.advance(20_000);
    expect(await reply.finish(text, "-# ⚠️ Cut.")).toEqual(OK);
    const messages = reply.discord.messages("1180000000000000010", "1180000000000000022");
    expect(messages).toHaveLength(5);
    expect(
      messages
        .slice(0, 4)
        .map(({ content }) => content)
        .join(""),
    ).toBe(text.slice(0, 8000));
    expect(messages[4]?.content.endsWith(`\n\n-# ⚠️ Cut.\n${say.wholeAnswerAttached}`)).toBe(true);
    expect(
      messages.map(({ attachments }) => attachments.map(({ filename, text: inside }) => [filename, inside === text])),
    ).toEqual([[], [], [], [], [["answer.md", true]]]);
    expect(reply.requests().slice(-2)).toEqual([
      expect.stringMatching(/PATCH part \d+ answer\.md → 200$/),
      expect.stringMatching(/PATCH original -stop → 200$/),
    ]);
  });

  it("sends no empty message if it contains a message's worth of blank lines", async () => {
    const reply = await delivery();
    const text = `${words(2000)}${"\n".repeat(4000)}${words(9000)}`;
    reply.show(text);
    await reply.clock.advance(20_000);
    expect(await reply.finish(text)).toEqual(OK);
    const read = reply.reads();
    expect(read.map((content) => content.trim() === "")).toEqual([false, false, false, false, false]);
    expect(read.slice(0, 4).join("")).toBe(words(8000));
  });

  it("deletes the followups it does not need if an earlier life had made it longer", async () => {
    const first = await delivery();
    first.show(words(5000));
    await first.clock.advance(10_000);
    first.pump.abandon();
    const pump = first.resumed();
    const delivered = pump.finish({ text: "Short after all.", line: null });
    await first.clock.advance(10_000);
    expect(await delivered).toEqual(OK);
    expect(first.reads()).toEqual(["Short after all."]);
    expect(first.ledger).toHaveLength(1);
  });
});

describe("Discord's own race after the acknowledgement", () => {
  it("is waited out with pauses", async () => {
    const reply = await delivery({ webhookRaceMs: 4000 });
    expect(await reply.finish("Hi")).toEqual(OK);
    expect(reply.requests()).toEqual([
      '0 PATCH original "Hi" -stop → 404/10015',
      '1200 PATCH original "Hi" -stop → 404/10015',
      '2400 PATCH original "Hi" -stop → 404/10015',
      '3600 PATCH original "Hi" -stop → 404/10015',
      '4800 PATCH original "Hi" -stop → 200',
    ]);
  });

  it("is waited out even if the answer to an early request comes late", async () => {
    const reply = await delivery();
    reply.discord.brew("race", 1);
    const release = reply.hold();
    const finished = reply.pump.finish({ text: "Hi", line: null });
    await reply.clock.advance(12_000);
    release();
    await reply.clock.advance(2000);
    expect([await finished, reply.reads(), reply.gone()]).toEqual([OK, ["Hi"], 0]);
  });

  it("ends after 10 s: the reply is gone, and no request follows", async () => {
    const reply = await delivery({ webhookRaceMs: 60_000 });
    reply.show("Hi");
    expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "gone" });
    const times = reply.discord.log.map(({ at }) => at - (reply.discord.log[0]?.at ?? 0));
    expect(times.filter((at) => at >= 10_000)).toHaveLength(1);
    expect(reply.gone()).toBe(1);
    reply.show("Hello?");
    await reply.clock.advance(60_000);
    expect(reply.discord.log).toHaveLength(times.length);
  });
});

describe("the token", () => {
  it("leaves the message as it is if it ends in the middle of an answer, and the new token's message has the whole answer attached", async () => {
    const reply = await delivery({}, [{ state: "sent", id: "1", frozen: true, endsAt: 4 }]);
    expect(await reply.finish("Here it is.")).toEqual({ ok: true });
    expect(reply.requests()).toEqual([`0 POST followup ${say.wholeAnswerAttached.length} answer.md → 200`]);
  });

  it("is not used after 15 minutes", async () => {
    const reply = await delivery();
    await reply.clock.advance(TOKEN_LIFE_MS);
    expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "token_expired" });
    expect(reply.requests()).toEqual([]);
  });

  it("quietly ends the reply if Discord calls it invalid", async () => {
    const reply = await delivery();
    const body = { message: "Invalid Webhook Token", code: 50027 };
    reply.discord.failNext(1, Response.json(body, { status: 401 }));
    expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "token_expired" });
    expect([reply.requests(), reply.gone(), reply.errors]).toEqual([
      ['0 PATCH original "Hi" -stop → 401/50027'],
      0,
      [],
    ]);
  });
});
