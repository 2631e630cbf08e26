// The pump in bad weather: limits, outages, lost answers, deleted messages, earlier lives; and its pace in all of them.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import { EDIT_GAP_MS, TOKEN_LIFE_MS } from "../../../src/core/limits.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { delivery, type Mischief } from "../../support/pump-harness.ts";

const OK = { ok: true };
const words = (length: number) => "word ".repeat(Math.ceil(length / 5)).slice(0, length);
const limited = (retryAfter: number) =>
  Response.json({ message: "You are being rate limited.", retry_after: retryAfter, global: false }, { status: 429 });
const isPost = ({ method }: { method: string }) => method === "POST";

describe("a rate limit", () => {
  it("is waited out for as long as Discord says, and then the newest text is sent", async () => {
    const reply = await delivery();
    reply.discord.failNext(1, limited(3.25));
    reply.show("one");
    await reply.clock.advance(1000);
    reply.show("one two");
    await reply.clock.advance(5000);
    expect(reply.requests()).toEqual([
      '150 PATCH original "one" +stop → 429',
      '3400 PATCH original "one two" +stop → 200',
    ]);
  });

  it("on a followup proves that nothing was posted, so the followup is sent again", async () => {
    const reply = await delivery();
    reply.discord.failNext(1, limited(2), isPost);
    expect(await reply.finish(words(3000))).toEqual(OK);
    expect(reply.requests()).toEqual([
      "0 PATCH original 2000 +stop → 200",
      "450 POST followup 1000 → 429",
      "2450 POST followup 1000 → 200",
      "2900 PATCH original -stop → 200",
    ]);
    expect(reply.reads().join("")).toBe(words(3000));
  });

  it.each([
    ["of the proxy is waited out for a minute when its header names less", { "Retry-After": "7" }, 60_000],
    ["of the proxy is waited out for longer when its header says so", { "Retry-After": "90" }, 90_000],
  ])("%s", async (_, headers, ms) => {
    const reply = await delivery();
    reply.discord.failNext(1, new Response("<html>error code: 1015</html>", { status: 429, headers }));
    expect(await reply.finish("Hi")).toEqual(OK);
    expect(reply.requests()).toEqual(['0 PATCH original "Hi" -stop → 429', `${ms} PATCH original "Hi" -stop → 200`]);
  });

  it("is not waited out if it outlasts the token", async () => {
    const reply = await delivery();
    reply.discord.failNext(1, limited(TOKEN_LIFE_MS / 1000));
    const delivered = reply.pump.finish({ text: "Hi", line: null });
    await reply.clock.advance(0);
    expect(await delivered).toEqual({ ok: false, reason: "token_expired" });
    expect(reply.clock.pending()).toBe(0);
  });
});

describe("an outage", () => {
  it("is retried on edits, with pauses that grow beyond the usual pace", async () => {
    const reply = await delivery();
    reply.discord.failNext(6, new Response("bad gateway", { status: 502 }));
    expect(await reply.finish("Hi")).toEqual(OK);
    const times = [0, 1200, 2400, 3600, 4800, 6800].map((ms) => `${ms} PATCH original "Hi" -stop → 502`);
    expect(reply.requests()).toEqual([...times, '10800 PATCH original "Hi" -stop → 200']);
  });

  it("of the network is retried like one of Discord", async () => {
    const reply = await delivery();
    const fates: Mischief[] = ["lose the request", "lose the answer", null];
    reply.network(() => fates.shift() ?? null);
    expect(await reply.finish("Hi")).toEqual(OK);
    expect(reply.requests()).toEqual(['1200 PATCH original "Hi" -stop → 200', '2400 PATCH original "Hi" -stop → 200']);
  });

  it("makes the reply give up when the token expires, and leaves no timer", async () => {
    const reply = await delivery();
    reply.network(() => "lose the request");
    expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "token_expired" });
    expect([reply.requests(), reply.clock.pending()]).toEqual([[], 0]);
  });
});

describe("a followup whose answer is lost", () => {
  it.each(["lose the answer", "lose the request"] as const)(
    "is never sent again, and the whole answer comes as a file (%s)",
    async (mischief) => {
      const reply = await delivery();
      reply.network((method) => (method === "POST" ? mischief : null));
      const text = words(7000);
      reply.show(text.slice(0, 5000));
      await reply.clock.advance(10_000);
      reply.show(text.slice(0, 6000));
      await reply.clock.advance(10_000);
      expect(await reply.finish(text)).toEqual(OK);
      expect(reply.discord.log.filter(isPost)).toHaveLength(mischief === "lose the answer" ? 1 : 0);
      const [first, ...others] = reply.discord.messages(PLACES.general, PEOPLE.theo);
      expect(first?.content.endsWith(`\n\n${say.wholeAnswerAttached}`)).toBe(true);
      expect(text.startsWith(first?.content.slice(0, 1900) ?? "?")).toBe(true);
      expect(first?.attachments.map(({ filename, text: inside }) => [filename, inside])).toEqual([["answer.md", text]]);
      expect(first?.components).toEqual([]);
      expect(others.map(({ content }) => content)).toEqual(
        mischief === "lose the answer" ? [text.slice(2000, 4000)] : [],
      );
      expect(reply.ledger[1]).toMatchObject({ state: "sending", id: null });
    },
  );

  it("includes one that Discord answers with a 5xx", async () => {
    const reply = await delivery();
    reply.discord.failNext(1, new Response("oops", { status: 500 }), isPost);
    expect(await reply.finish(words(3000))).toEqual(OK);
    expect(reply.requests()).toEqual([
      "0 PATCH original 2000 +stop → 200",
      "450 POST followup 1000 → 500",
      expect.stringMatching(/^1200 PATCH original \d+ -stop answer\.md → 200$/),
    ]);
  });

  it("counts only the messages before it as posted text", async () => {
    const reply = await delivery();
    reply.network((method) => (method === "POST" ? "lose the answer" : null));
    reply.show(words(3000));
    await reply.clock.advance(5000);
    expect(reply.pump.postedText()).toBe(words(2000));
  });
});

describe("a deleted message", () => {
  it("ends the reply for good, and informs the turn once", async () => {
    const reply = await delivery();
    reply.show("Hi");
    await reply.clock.advance(1000);
    reply.discord.delete(reply.messageId);
    reply.show("Hi there");
    await reply.clock.advance(5000);
    reply.show("Hi there, you");
    expect(await reply.finish("Hi there, you.")).toEqual({ ok: false, reason: "gone" });
    expect(reply.requests()).toEqual([
      '150 PATCH original "Hi" +stop → 200',
      '1350 PATCH original "Hi there" → 404/10008',
    ]);
    expect(reply.gone()).toBe(1);
  });

  it("also ends the reply if its whole channel is gone", async () => {
    const reply = await delivery();
    reply.discord.failNext(1, Response.json({ message: "Unknown Channel", code: 10003 }, { status: 404 }));
    expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "no_access" });
  });
});

describe("after the token's end", () => {
  const LATE = 15 * 60_000;
  /** A reply whose first words came in time. */
  const begun = async (...more: Parameters<typeof delivery>) => {
    const reply = await delivery(...more);
    reply.show("Slow");
    await reply.clock.advance(2000);
    await reply.clock.advance(LATE);
    return reply;
  };

  it("the bot's route continues in the same messages, including followups", async () => {
    const reply = await begun({}, [], { byBot: true });
    expect(await reply.finish(words(3000))).toEqual({ ok: true });
    expect(reply.reads().join("")).toBe(words(3000));
    expect(
      reply
        .requests()
        .slice(1)
        .map((request) => request.split(" ").slice(1, 3).join(" ")),
    ).toEqual(["PATCH bot-part", "POST bot-message", "PATCH bot-part"]);
    expect(reply.bodies()[2]).toMatchObject({
      nonce: "turn-1-1",
      enforce_nonce: true,
      allowed_mentions: { parse: [] },
    });
  });

  it("the bot's route also continues if Discord ends the token early", async () => {
    const reply = await delivery({}, [], { byBot: true });
    reply.show("Slow");
    await reply.clock.advance(2000);
    reply.discord.failNext(1, Response.json({ message: "Invalid Webhook Token", code: 50027 }, { status: 401 }));
    expect(await reply.finish("Slow, but there.")).toEqual({ ok: true });
    expect(reply.reads()).toEqual(["Slow, but there."]);
  });

  it.each([
    ["there is no bot", {}],
    ["only one person sees the reply", { byBot: true, forceEphemeral: true }],
  ])("the reply fails as expired if %s", async (_why, more) => {
    const reply = await begun({}, [], more);
    expect(await reply.finish("Too late")).toEqual({ ok: false, reason: "token_expired" });
  });
});

describe("a message that Discord refuses", () => {
  const refusal = { message: "Invalid Form Body", code: 50035 };
  const logged = { line: "Discord refused a message", status: 400, code: 50035, text: JSON.stringify(refusal) };

  it("is logged, and sent once again as text only", async () => {
    const reply = await delivery();
    reply.discord.failNext(1, Response.json(refusal, { status: 400 }));
    expect(await reply.finish("Hi")).toEqual({ ok: true });
    expect(reply.requests()).toEqual([
      '0 PATCH original "Hi" -stop → 400/50035',
      '1200 PATCH original "Hi" -stop → 200',
    ]);
    expect(reply.errors).toEqual([logged]);
  });

  it("ends the reply if a file and a line alone are refused too", async () => {
    const reply = await delivery();
    reply.discord.failNext(9, Response.json(refusal, { status: 400 }));
    expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "refused" });
    expect(reply.requests()).toHaveLength(4);
    expect(reply.errors).toEqual([logged, logged, logged, logged]);
  });
});

describe("a text that Discord's filters block", () => {
  it.each([200_000, 240_000])("is replaced by a neutral line, and the turn is informed (%i)", async (code) => {
    const reply = await delivery();
    reply.show("Hi there");
    await reply.clock.advance(2000);
    reply.discord.failNext(1, Response.json({ message: "Blocked", code }, { status: 400 }));
    reply.show("Hi there, bad words");
    await reply.clock.advance(5000);
    expect(reply.gone()).toBe(1);
    const delivered = reply.finish("Hi there, bad words and more");
    await reply.clock.advance(5000);
    expect(await delivered).toEqual({ ok: true, isBlocked: true });
    expect(reply.reads()).toEqual(["-# ⚠️ Discord's filters blocked this answer. Try rephrasing."]);
  });
});

describe("a later life", () => {
  it("edits the messages of an earlier life, and creates only the missing ones", async () => {
    const reply = await delivery();
    reply.show(words(3000));
    await reply.clock.advance(5000);
    reply.pump.abandon();
    const pump = reply.resumed();
    const delivered = pump.finish({ text: words(5000), line: null });
    await reply.clock.advance(10_000);
    expect(await delivered).toEqual(OK);
    expect(reply.requests().slice(2)).toEqual([
      "5000 PATCH original 2000 +stop → 200",
      "6200 PATCH part 2000 -stop → 200",
      "6650 POST followup 1000 → 200",
      "7400 PATCH original -stop → 200",
    ]);
    expect(reply.reads().join("")).toBe(words(5000));
  });

  it("never sends a part again that an earlier life may have sent", async () => {
    const reply = await delivery({}, [
      { state: "sent", id: "1" },
      { state: "sending", id: null },
    ]);
    expect(await reply.finish(words(3000))).toEqual(OK);
    expect(reply.requests()).toEqual([expect.stringMatching(/^0 PATCH original \d+ -stop answer\.md → 200$/)]);
    expect(reply.ledger).toEqual([
      { state: "sent", id: reply.messageId },
      { state: "sending", id: null },
    ]);
  });

  it("attaches no empty file if it has no text", async () => {
    const reply = await delivery({}, [
      { state: "sent", id: "1" },
      { state: "sending", id: null },
    ]);
    expect(await reply.finish("", "-# Stopped.")).toEqual(OK);
    expect(reply.requests()).toEqual(['0 PATCH original "-# Stopped." -stop → 200']);
  });

  it("silences the earlier one once it owns the reply, before a creation and after an edit", async () => {
    const before = await delivery();
    before.show(words(1000));
    await before.clock.advance(1000);
    before.fence();
    expect(await before.finish(words(3000))).toEqual({ ok: false, reason: "superseded" });
    expect(before.discord.log.filter(isPost)).toEqual([]);

    const first = await delivery();
    first.fence();
    expect(await first.finish("Hi")).toEqual({ ok: false, reason: "superseded" });
    expect(first.requests()).toHaveLength(1);
  });
});

describe("the end of a reply", () => {
  it("waits for a request that is under way, then sends the last text", async () => {
    const reply = await delivery();
    const release = reply.hold();
    reply.show("Hi");
    await reply.clock.advance(2000);
    const delivered = reply.pump.finish({ text: "Hi there.", line: null });
    await reply.clock.advance(100);
    release();
    await reply.clock.advance(0);
    expect(await delivered).toEqual(OK);
    expect(reply.requests()).toEqual([
      '2100 PATCH original "Hi" +stop → 200',
      '2100 PATCH original "Hi there." -stop → 200',
    ]);
  });

  it("sends nothing more if the reply is abandoned, whatever is under way or waiting", async () => {
    const reply = await delivery();
    const release = reply.hold();
    reply.show(words(3000));
    await reply.clock.advance(2000);
    const delivered = reply.pump.finish({ text: words(5000), line: null });
    reply.pump.abandon();
    release();
    await reply.clock.advance(60_000);
    expect(await delivered).toEqual({ ok: false, reason: "superseded" });
    expect([reply.discord.log.length, reply.ledger.length, reply.clock.pending()]).toEqual([1, 0, 0]);
  });

  it("leaves no timer if the reply is abandoned during a pause", async () => {
    const reply = await delivery();
    reply.show("Hi");
    await reply.clock.advance(100);
    reply.pump.abandon();
    await reply.clock.advance(0);
    expect([reply.requests(), reply.clock.pending()]).toEqual([[], 0]);
  });

  it("ignores any text shown after it", async () => {
    const reply = await delivery();
    expect(await reply.finish("Hi.")).toEqual(OK);
    reply.show("Late");
    await reply.clock.advance(10_000);
    expect(reply.reads()).toEqual(["Hi."]);
  });
});

it("whatever is shown and whenever Discord fails, the pace is kept, no one is pinged, and the whole answer arrives exactly once", async () => {
  const weather = fc.constantFrom("fine", "fine", "fine", "limited", "outage");
  const step = fc.record({ grow: fc.integer({ min: 0, max: 900 }), wait: fc.integer({ min: 0, max: 1500 }), weather });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.constantFrom("😀", "ab ", "é\n"),
      async (steps, unit) => {
        const reply = await delivery();
        let text = "";
        for (const { grow, wait, weather: today } of steps) {
          text += unit.repeat(grow);
          if (today === "limited") reply.discord.failNext(1, limited(1.5));
          if (today === "outage")
            reply.discord.failNext(1, new Response("", { status: 503 }), ({ method }) => method === "PATCH");
          reply.show(text);
          await reply.clock.advance(wait);
        }
        text += "end";
        expect(await reply.finish(text)).toEqual(OK);
        const messages = reply.discord.messages(PLACES.general, PEOPLE.theo);
        const file = messages.at(-1)?.attachments[0];
        if (file) expect([messages.length, file.text]).toEqual([5, text]);
        else expect(messages.map(({ content }) => content).join("")).toBe(text);
        expect(messages.map(({ components }) => components)).toEqual(messages.map(() => []));
        const sent = reply.discord.log.map(({ at }) => at);
        const edits = reply.discord.log.filter(({ method }) => method === "PATCH").map(({ at }) => at);
        for (const [index, at] of edits.slice(1).entries())
          expect(at - (edits[index] ?? 0)).toBeGreaterThanOrEqual(EDIT_GAP_MS);
        // Two seconds never contain six requests.
        for (const [index, at] of sent.slice(5).entries()) expect(at - (sent[index] ?? 0)).toBeGreaterThan(2000);
        for (const body of reply.bodies()) expect(body.allowed_mentions).toEqual({ parse: [] });
        expect([reply.discord.violations, [...reply.userAgents]]).toEqual([
          [],
          ["DiscordBot (https://example.org, 1.0)"],
        ]);
        expect([reply.discord.pinged(), reply.clock.pending()]).toEqual([[], 0]);
      },
    ),
    { numRuns: 150 },
  );
});

it("an answer full of mentions pings no one, whether in its text, its followups or its file", async () => {
  const reply = await delivery();
  const text = `@everyone @here <@${PEOPLE.mira}> <@&1180000000000000031> `.repeat(200);
  reply.show(text.slice(0, 3000));
  await reply.clock.advance(5000);
  expect(await reply.finish(text)).toEqual(OK);
  expect(reply.discord.log.map(({ method }) => method)).toContain("POST");
  expect(reply.discord.pinged()).toEqual([]);
});
