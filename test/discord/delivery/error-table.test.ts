// The specification's table of errors, row by row: the whole sequence of requests, and what a person sees in the end. The
// weather comes from the local Discord, and the playground's page offers it too.
import { describe, expect, it } from "vitest";
import { say } from "../../../src/core/copy/notices.ts";
import type { Forecast } from "../../../src/playground/discord/forecast.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Delivery, delivery } from "../../support/pump-harness.ts";

const OK = { ok: true };
const words = (length: number) => "word ".repeat(Math.ceil(length / 5)).slice(0, length);

/** A reply that has begun; the second edit meets the weather, the third is its last. */
async function through(forecast: Forecast, more: Parameters<typeof delivery>[2] = {}): Promise<Delivery> {
  const reply = await delivery({}, [], more);
  reply.show("one");
  await reply.clock.advance(1200);
  reply.discord.brew(forecast, 1);
  reply.show("one two");
  await reply.clock.advance(10_000);
  return reply;
}

describe("an edit in midstream", () => {
  it.each<[string, Forecast, string, string]>([
    ["waits as long as Discord says after a 429 for the token", "limited", "429", "4350"],
    ["waits as long as Discord says after a 429 for the channel", "shared", "429", "6350"],
    ["waits as long as Discord says after a 429 for the address", "global", "429", "5350"],
    ["is retried after a 503", "outage", "503", "2550"],
    ["is retried when the connection breaks before Discord has it", "cut", "200", "2550"],
    ["is sent again if Discord has it but its answer is lost, which changes nothing", "cut_after", "200", "2550"],
    ["is retried after a 10015 within ten seconds of the acknowledgement", "race", "404/10015", "2550"],
  ])("%s", async (_, forecast, answer, again) => {
    const reply = await through(forecast);
    expect(await reply.finish("one two.")).toEqual(OK);
    expect(reply.requests()).toEqual([
      '150 PATCH original "one" +stop → 200',
      `1350 PATCH original "one two" → ${answer}`,
      `${again} PATCH original "one two" → 200`,
      '11200 PATCH original "one two." -stop → 200',
    ]);
    expect([reply.reads(), reply.gone(), reply.errors]).toEqual([["one two."], 0, []]);
  });

  it("waits a minute after the proxy's 429 in HTML", async () => {
    const reply = await through("proxy");
    expect(await reply.finish("one two.")).toEqual(OK);
    expect(reply.requests().slice(1)).toEqual([
      '1350 PATCH original "one two" → 429',
      '61350 PATCH original "one two." -stop → 200',
    ]);
  });

  it.each<[string, Forecast, string, "gone" | "no_access"]>([
    ["10008, because the person deleted the message", "deleted", "404/10008", "gone"],
    ["50013, because we may not speak there", "forbidden", "403/50013", "no_access"],
  ])("ends the reply, sends nothing more and informs the turn once after %s", async (_, forecast, answer, reason) => {
    const reply = await through(forecast);
    expect(await reply.finish("one two.")).toEqual({ ok: false, reason });
    expect(reply.requests().slice(1)).toEqual([`1350 PATCH original "one two" → ${answer}`]);
    expect(reply.gone()).toBe(1);
  });

  it.each([
    ["160005, because the thread is locked", 160_005, 403, "no_access"],
    ["50083, because somebody closed the thread", 50_083, 400, "gone"],
    ["10003, because the channel is gone", 10_003, 404, "no_access"],
    ["50001, because we may not see the channel", 50_001, 403, "no_access"],
    ["50007, because the person accepts no direct messages", 50_007, 403, "no_access"],
    ["50278, because the person shares no server with us anymore", 50_278, 403, "no_access"],
  ])("ends the reply after a %s", async (_, code, status, reason) => {
    const reply = await delivery();
    reply.show("one");
    await reply.clock.advance(1200);
    reply.discord.failNext(1, Response.json({ code, message: "Not here" }, { status }));
    expect(await reply.finish("one two.")).toEqual({ ok: false, reason });
    expect(reply.gone()).toBe(1);
  });

  it("continues with the bot's token after a 50027, if there is one", async () => {
    const reply = await through("expired", { byBot: true });
    expect(await reply.finish("one two.")).toEqual(OK);
    expect(reply.requests().slice(1)).toEqual([
      '1350 PATCH original "one two" → 401/50027',
      '2850 PATCH bot-part "one two" → 200',
      '11200 PATCH bot-part "one two." -stop → 200',
    ]);
  });

  it("continues with the bot's token after a 10015 that comes more than ten seconds after the acknowledgement", async () => {
    const reply = await delivery({}, [], { byBot: true });
    reply.show("one");
    await reply.clock.advance(12_000);
    reply.discord.brew("race", 1);
    reply.show("one two");
    await reply.clock.advance(10_000);
    expect(await reply.finish("one two.")).toEqual(OK);
    expect(reply.requests().slice(1)).toEqual([
      '12000 PATCH original "one two" → 404/10015',
      '13500 PATCH bot-part "one two" → 200',
      '22000 PATCH bot-part "one two." -stop → 200',
    ]);
    expect(reply.gone()).toBe(0);
  });

  it("leaves the rest to a click after a 50027 without the bot's token", async () => {
    const reply = await through("expired");
    expect(await reply.finish("one two.")).toEqual({ ok: false, reason: "token_expired" });
    expect(reply.requests().slice(1)).toEqual(['1350 PATCH original "one two" → 401/50027']);
    expect([reply.reads(), reply.gone()]).toEqual([["one"], 0]);
  });

  it("is replaced by a neutral line after a 200000, and the turn is informed", async () => {
    const reply = await through("blocked");
    expect(await reply.finish("one two and more")).toEqual({ ok: true, isBlocked: true });
    expect(
      reply
        .requests()
        .slice(1)
        .map((line) => line.replace(/"-#.*"/, "the line")),
    ).toEqual([
      '1350 PATCH original "one two" → 400/200000',
      expect.stringMatching(/^2550 PATCH original \d+ → 200$/),
      "11200 PATCH original -stop → 200",
    ]);
    expect([reply.reads(), reply.gone()]).toEqual([[say.blocked], 1]);
  });

  it("is also replaced by that line after a 240000, Discord's link filter", async () => {
    const reply = await delivery();
    reply.show("one");
    await reply.clock.advance(1200);
    reply.discord.failNext(1, Response.json({ code: 240_000, message: "Harmful link" }, { status: 400 }));
    expect(await reply.finish("one two")).toEqual({ ok: true, isBlocked: true });
    expect([reply.reads(), reply.gone()]).toEqual([[say.blocked], 1]);
  });

  it("is logged with Discord's error tree after a 50035, and sent once again as text only", async () => {
    const reply = await through("malformed");
    expect(await reply.finish("one two.")).toEqual(OK);
    expect(reply.requests().slice(1)).toEqual([
      '1350 PATCH original "one two" → 400/50035',
      '2550 PATCH original "one two" -stop → 200',
      '11200 PATCH original "one two." -stop → 200',
    ]);
    expect(reply.errors).toEqual([
      {
        line: "Discord refused a message",
        status: 400,
        code: 50_035,
        text: expect.stringContaining('"errors":{"content":{"_errors":[{"code":"BASE_TYPE_BAD_LENGTH"'),
      },
    ]);
  });
});

describe("words that Discord refuses in every form", () => {
  const no = () => Response.json({ code: 50_109, message: "No" }, { status: 400 });

  it("wait in midstream for the last words, which are tried again", async () => {
    const reply = await delivery();
    reply.show("one");
    await reply.clock.advance(1200);
    reply.discord.failNext(2, no());
    reply.show("one two");
    await reply.clock.advance(10_000);
    reply.show("one two three");
    await reply.clock.advance(10_000);
    expect(await reply.finish("one two three.")).toEqual(OK);
    expect(reply.requests().map((line) => line.split(" → ")[1])).toEqual(["200", "400/50109", "400/50109", "200"]);
    expect(reply.reads()).toEqual(["one two three."]);
  });

  it("don't hold up a request for a click in midstream, which is sent without them", async () => {
    const reply = await delivery();
    reply.show("one");
    await reply.clock.advance(1200);
    const hasWords = ({ body }: { body: unknown }) => JSON.stringify(body ?? "").includes("one two");
    reply.discord.failNext(99, no(), hasWords);
    reply.show("one two");
    await reply.clock.advance(10_000);
    reply.pump.wait();
    await reply.clock.advance(60_000);
    expect(reply.reads()).toEqual([say.deliveryWaits]);
    expect(reply.requests()).toHaveLength(4);
    const asked = await delivery();
    asked.show("one");
    await asked.clock.advance(1200);
    asked.discord.failNext(99, no(), hasWords);
    asked.show("one two", { line: "-# May I?", asks: true });
    await asked.clock.advance(60_000);
    expect([asked.reads(), asked.requests().length]).toEqual([["-# May I?"], 4]);
  });

  it.each([
    ["are in a file, with a line that says so", 2, [`${say.notTaken}\n${say.wholeAnswerAttached}`], ["one two."]],
    ["leave the line if the file is refused as well", 3, [expect.stringContaining(say.notTaken)], []],
  ])("%s", async (_, refusals, reads, files) => {
    const reply = await delivery();
    reply.show("one");
    await reply.clock.advance(1200);
    reply.discord.failNext(refusals, no());
    expect(await reply.finish("one two.")).toEqual(OK);
    const [shown] = reply.discord.messages(PLACES.general, PEOPLE.theo);
    expect(reply.reads()).toEqual(reads);
    expect(shown?.attachments.map(({ text }) => text)).toEqual(files);
  });

  it("are given up if there is no text that a file could carry", async () => {
    const reply = await delivery();
    reply.discord.failNext(9, no());
    expect(await reply.finish("", say.resumed)).toEqual({ ok: false, reason: "refused" });
    expect(reply.requests()).toHaveLength(2);
  });

  it("in the second message leave the first one with the file", async () => {
    const reply = await delivery();
    const text = words(3000);
    reply.discord.failNext(2, no(), ({ method }) => method === "POST");
    expect(await reply.finish(text)).toEqual(OK);
    const [shown] = reply.discord.messages(PLACES.general, PEOPLE.theo);
    expect([reply.reads().length, shown?.attachments.map((file) => file.text)]).toEqual([1, [text]]);
  });
});

it("Discord refuses the sixth followup of an app that only a person installed, and the fifth carries the file", async () => {
  const reply = await delivery({}, [], { userInstallOnly: true, maxMessages: 10 });
  const text = "word ".repeat(3000);
  expect(await reply.finish(text)).toEqual(OK);
  const requests = reply.requests();
  expect(requests.filter((line) => line.includes("POST followup")).map((line) => line.split(" ").at(-1))).toEqual([
    "200",
    "200",
    "200",
    "200",
    "200",
    "400/40094",
  ]);
  expect(requests.at(-2)).toMatch(/PATCH part \d+ answer\.md → 200$/);
  expect(reply.reads()).toHaveLength(6);
});

it("gives up if Discord answers even an edit by saying that it takes no more followups, in midstream or at the end", async () => {
  const spent = () => Response.json({ code: 40_094, message: "Maximum number of follow up messages" }, { status: 400 });
  const begun = await delivery();
  begun.discord.failNext(99, spent());
  begun.show("one");
  await begun.clock.advance(60_000);
  expect(await begun.finish("one two.")).toEqual({ ok: false, reason: "refused" });
  expect(begun.requests()).toHaveLength(1);
  const told = await delivery();
  told.show("one");
  await told.clock.advance(1200);
  told.discord.failNext(99, spent());
  expect(await told.finish("one two.")).toEqual({ ok: false, reason: "refused" });
  expect(told.requests()).toHaveLength(3);
});

it.each([
  ["Discord accepts no further followup", { userInstallOnly: true, maxMessages: 6 }, 13_000, 7, 6],
  ["the next message may exist out of reach", {}, 3000, 3, 2],
])(
  "a request for approval below a full message is shown in that message if %s",
  async (_, options, chars, requests, messages) => {
    const reply = await delivery({}, [], options);
    const answer = words(chars);
    if (messages === 2) {
      let posts = 0;
      reply.network((method) => (method === "POST" && posts++ === 0 ? "lose the answer" : null));
      reply.show(answer);
      await reply.clock.advance(5000);
    }
    void reply.pump.ask({ text: answer, line: "-# May I?", asks: true });
    await reply.clock.advance(60_000);
    expect(reply.requests()).toHaveLength(requests);
    const shown = reply.discord.messages(PLACES.general, PEOPLE.theo);
    const asking = shown.filter(({ content }) => content.endsWith("-# May I?"));
    expect([shown.length, asking.length]).toEqual([messages, 1]);
    expect(JSON.stringify(asking[0]?.components)).toContain("Approve");
  },
);

it("a closing line that does not fit into five full messages goes into the fifth, with the file", async () => {
  const reply = await delivery();
  const text = "word ".repeat(2000);
  expect(await reply.finish(text, "-# ⚠️ Cut.")).toEqual(OK);
  expect(reply.reads()).toHaveLength(5);
  expect(reply.reads()[4]?.endsWith(`-# ⚠️ Cut.\n${say.wholeAnswerAttached}`)).toBe(true);
});

it("if the answer to an edit is lost, nothing of that edit stays, even if the view returns to what it was before", async () => {
  const reply = await delivery();
  reply.show("one");
  await reply.clock.advance(2000);
  reply.discord.brew("cut_after", 1);
  reply.show("one", { line: "-# May I?", asks: true });
  await reply.clock.advance(500);
  const shown = () => reply.discord.messages(PLACES.general, PEOPLE.theo)[0];
  expect([reply.reads(), JSON.stringify(shown()?.components)]).toEqual([
    ["one\n\n-# May I?"],
    expect.stringContaining("Approve"),
  ]);
  reply.show("one");
  await reply.clock.advance(5000);
  expect([reply.reads(), JSON.stringify(shown()?.components)]).toEqual([
    ["one"],
    expect.not.stringContaining("Approve"),
  ]);
});
