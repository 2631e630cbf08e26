// The route of a reply that no interaction asked for: the bot posts it itself, with a nonce that allows a retry, and points
// to the question if that is a message.
import { describe, expect, it } from "vitest";
import { repliesTo } from "../../../src/core/decisions/reply-rule.ts";
import { NONCE_LIFE_MS } from "../../../src/core/limits.ts";
import type { DeliveredPart } from "../../../src/core/state/record.ts";
import { plainLinks, ReplyRoute } from "../../../src/discord/delivery/reply-route.ts";
import type { Endpoint } from "../../../src/discord/rest/rest.ts";
import { APPLICATION } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { type Delivery, delivery } from "../../support/pump-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

const OK = { ok: true };
const words = (length: number) => "word ".repeat(Math.ceil(length / 5)).slice(0, length);
const unasked = () => delivery({}, [], { unasked: true });

/** Lets Discord get the first request and loses its answer. */
function loseFirstAnswer(reply: Awaited<ReturnType<typeof delivery>>): void {
  let lost = false;
  reply.network(() => {
    if (lost) return null;
    lost = true;
    return "lose the answer";
  });
}

describe("a reply without an interaction", () => {
  it("is posted by the bot, edited while it grows, and continued in more channel messages", async () => {
    const reply = await unasked();
    reply.show("Time to");
    await reply.clock.advance(1000);
    expect(await reply.finish(words(3000))).toEqual(OK);
    expect(reply.requests()).toEqual([
      '150 POST bot-message "Time to" +stop → 200',
      "1000 PATCH bot-part 2000 → 200",
      "1450 POST bot-message 1000 → 200",
      "2500 PATCH bot-part -stop → 200",
    ]);
    expect(reply.bodies()[0]).toEqual({
      content: "Time to",
      components: [expect.anything()],
      flags: 4,
      allowed_mentions: { parse: [] },
      nonce: "turn-1-0",
      enforce_nonce: true,
    });
    expect(reply.ledger.map(({ state }) => state)).toEqual(["sent", "sent"]);
  });

  it("continues after fifteen minutes", async () => {
    const reply = await unasked();
    reply.show("Slow");
    await reply.clock.advance(20 * 60_000);
    expect(await reply.finish("Slow, but there.")).toEqual(OK);
    expect(reply.requests().at(-1)).toBe(`1200000 PATCH bot-part "Slow, but there." -stop → 200`);
  });

  it("points to the question with its first message only", async () => {
    const reply = await delivery({}, [], { unasked: true, pointing: true });
    expect(await reply.finish(words(3000))).toEqual(OK);
    const [question = ""] = reply.discord
      .messages(PLACES.general, PEOPLE.theo)
      .flatMap(({ id, author }) => (author.bot ? [] : [id]));
    expect(reply.bodies().map((body) => body.message_reference)).toEqual([
      { message_id: question, fail_if_not_exists: false },
      undefined,
      undefined,
    ]);
    expect(reply.discord.pinged()).toEqual([]);
  });

  it("is sent even if the message it points to was deleted", async () => {
    const reply = await delivery({}, [], { unasked: true, pointing: true });
    for (const { id, author } of reply.discord.messages(PLACES.general, PEOPLE.theo))
      if (!author.bot) reply.discord.delete(id);
    expect(await reply.finish("Hi")).toEqual(OK);
  });

  it("is created again with the same nonce if the answer to its creation is lost, and appears once", async () => {
    const reply = await unasked();
    loseFirstAnswer(reply);
    reply.show("Time to");
    await reply.clock.advance(1000);
    expect(await reply.finish("Time to go.")).toEqual(OK);
    expect(reply.requests()).toEqual([
      '150 POST bot-message "Time to" +stop → 200',
      `600 POST bot-message "Time to" +stop → 200`,
      `1050 PATCH bot-part "Time to go." -stop → 200`,
    ]);
    expect(reply.bodies().map(({ nonce }) => nonce)).toEqual(["turn-1-0", "turn-1-0", undefined]);
    expect(reply.reads().filter((content) => content !== "")).toEqual(["Time to go."]);
  });

  it("is created again within two minutes if an earlier life may have created it, and never later", async () => {
    const START = Date.UTC(2030, 0, 1);
    const begun = (since: number) => delivery({}, [{ state: "sending", id: null, since }], { unasked: true });
    const young = await begun(START - NONCE_LIFE_MS + 10_000);
    expect(await young.finish("Hi")).toEqual(OK);
    expect(young.requests()[0]).toBe('0 POST bot-message "Hi" → 200');

    const old = await begun(START - NONCE_LIFE_MS);
    expect(await old.finish("Hi")).toEqual({ ok: false, reason: "lost" });
    expect(old.requests()).toEqual([]);
  });

  it("is not created again if Discord's limit allows the repetition only after the nonce has expired", async () => {
    const reply = await unasked();
    loseFirstAnswer(reply);
    reply.show("Time to");
    await reply.clock.advance(300);
    const body = { message: "You are being rate limited.", retry_after: 180, global: false };
    reply.discord.failNext(1, Response.json(body, { status: 429, headers: { "retry-after": "180" } }));
    expect(await reply.finish("Time to go.")).toEqual({ ok: false, reason: "lost" });
    expect(reply.requests().map((line) => line.split(" → ")[1])).toEqual(["200", "429"]);
    expect(reply.reads().filter((content) => content !== "")).toEqual(["Time to"]);
  });

  it("is created after Discord did not take it, however late the limit allows that", async () => {
    const reply = await unasked();
    const body = { message: "You are being rate limited.", retry_after: 180, global: false };
    reply.discord.failNext(1, Response.json(body, { status: 429, headers: { "retry-after": "180" } }));
    expect(await reply.finish("Hi")).toEqual(OK);
    expect(reply.reads().filter((content) => content !== "")).toEqual(["Hi"]);
  });

  it.each(["created", "edited"])("stays in reach if it is %s and the answer has no body", async (which) => {
    const reply = await unasked();
    const loseBody = () => reply.discord.failNext(1, new Response("", { status: 200 }));
    if (which === "created") loseBody();
    reply.show("Time to");
    await reply.clock.advance(which === "created" ? 200 : 1000);
    if (which === "edited") loseBody();
    reply.show("Time to go");
    await reply.clock.advance(2000);
    expect(await reply.finish("Time to go.")).toEqual(OK);
    expect(reply.reads().filter((content) => content !== "")).toEqual(["Time to go."]);
    expect(reply.ledger[0]?.id).toMatch(/^\d+$/);
  });

  it("has the nonce's whole life, counted from the first request that Discord took", async () => {
    const reply = await unasked();
    const body = { message: "You are being rate limited.", retry_after: 180, global: false };
    reply.discord.failNext(1, Response.json(body, { status: 429, headers: { "retry-after": "180" } }));
    const posts: string[] = [];
    reply.network(() => (posts.push("POST") === 2 ? "lose the answer" : null));
    expect(await reply.finish("Hi")).toEqual(OK);
    expect(reply.reads().filter((content) => content !== "")).toEqual(["Hi"]);
  });

  it("is given up if the nonce expires without an answer from Discord", async () => {
    const reply = await unasked();
    reply.network(() => "lose the request");
    expect(await reply.finish("Hi")).toEqual({ ok: false, reason: "lost" });
    expect(reply.clock.now() - Date.UTC(2030, 0, 1)).toBeLessThan(NONCE_LIFE_MS + 15_000);
  });
});

describe("a reply that Discord does not let us create", () => {
  it("is posted without pointing to its question if we may not read the history", async () => {
    const reply = await delivery({ botReadsHistory: false }, [], { unasked: true, pointing: true });
    expect(await reply.finish("Hi")).toEqual(OK);
    expect(reply.requests()).toEqual(['0 POST bot-message "Hi" → 400/160002', '0 POST bot-message "Hi" → 200']);
    expect(reply.bodies().map(({ message_reference, nonce }) => [message_reference !== undefined, nonce])).toEqual([
      [true, "turn-1-0"],
      [false, "turn-1-0"],
    ]);
  });

  it.each<[string, object, boolean]>([
    ["of another field, still points to its question", { content: { _errors: [{ code: "X", message: "no" }] } }, true],
    ["of the reply, points to none", { message_reference: { _errors: [{ code: "X", message: "no" }] } }, false],
  ])("that is refused because %s", async (_, errors, isPointing) => {
    const reply = await delivery({}, [], { unasked: true, pointing: true });
    reply.discord.failNext(1, Response.json({ code: 50_035, message: "Invalid Form Body", errors }, { status: 400 }));
    expect(await reply.finish("Hi")).toEqual(OK);
    const bodies = reply.bodies().map(({ message_reference }) => message_reference !== undefined);
    expect(bodies).toEqual([true, isPointing]);
  });

  it("keeps its pace between edits, which it shares with other replies in the channel", async () => {
    const reply = await unasked();
    reply.show("One");
    await reply.clock.advance(1000);
    reply.show("One two");
    await reply.clock.advance(1000);
    expect(await reply.finish("One two three")).toEqual(OK);
    expect(reply.requests()).toEqual([
      '150 POST bot-message "One" +stop → 200',
      '1000 PATCH bot-part "One two" → 200',
      '2500 PATCH bot-part "One two three" -stop → 200',
    ]);
  });
});

describe("the message that a reply points to", () => {
  const request = { ...testRequest("1"), messageId: "77" };
  const scene = { id: "1", index: 0, names: ["Ada"], token: "t", webhookChannelId: null };
  it.each([
    ["is the question, if that is a message", request, "77"],
    ["is none in a scene", { ...request, scene }, null],
    ["is none if no message asked", testRequest("1"), null],
  ])("%s", (_, asked, expected) => {
    expect(repliesTo({ request: asked })).toBe(expected);
  });
});

describe("the webhook of a persona that is deleted while it speaks", () => {
  async function deleteWebhooks({ discord }: Delivery): Promise<void> {
    const headers = { authorization: `Bot ${APPLICATION.botToken}`, "user-agent": "DiscordBot (https://a.org, 1.0)" };
    const here = `http://discord.local/api/v10/channels/${PLACES.general}/webhooks`;
    const listed = (await (await discord.fetch(new Request(here, { headers }))).json()) as { id: string }[];
    for (const { id } of listed)
      await discord.fetch(new Request(`http://discord.local/api/v10/webhooks/${id}`, { method: "DELETE", headers }));
  }
  const said = (reply: Delivery) =>
    reply.discord
      .messages(PLACES.thread, PEOPLE.theo)
      .map(({ content, attachments }) => [content, ...attachments.map(({ text }) => text)]);

  it("is created again, and what it can no longer change comes in full as a file", async () => {
    const reply = await delivery({}, [], { voiced: true });
    reply.show("One. ");
    await reply.clock.advance(20_000);
    await deleteWebhooks(reply);
    expect(await reply.finish("One. Two. Three.")).toEqual({ ok: true });
    expect(said(reply)).toEqual([["One. "], ["-# The full answer is in the attached file.", "One. Two. Three."]]);
    expect([reply.gone(), reply.errors]).toEqual([0, []]);
  });

  it("is created again for the rest of an answer whose first message is full", async () => {
    const reply = await delivery({}, [], { voiced: true });
    const first = `${"word ".repeat(400)}`.slice(0, 2000);
    reply.show(`${first}more`);
    await reply.clock.advance(20_000);
    await deleteWebhooks(reply);
    expect(await reply.finish(`${first}more and more`)).toEqual({ ok: true });
    expect(said(reply).flat().join("\n")).toContain("more and more");
    expect(reply.gone()).toBe(0);
  });

  it("leaves the rest to the code that asked for the reply, if the bot may not create another", async () => {
    const reply = await delivery({}, [], { voiced: true });
    reply.show("One. ");
    await reply.clock.advance(20_000);
    await deleteWebhooks(reply);
    reply.discord.configure({ botManagesWebhooks: false });
    expect(await reply.finish("One. Two.")).toEqual({ ok: false, reason: "refused" });
    expect(reply.gone()).toBe(0);
  });
});

describe("a first message that can be looked up", () => {
  const unused = async () => ({ ok: false, kind: "unreachable", text: "" }) as const;
  const rest = { create: unused, edit: unused, remove: unused, read: unused };
  const byToken = { applicationId: APPLICATION.id, token: "t" };
  const byBot = { channelId: PLACES.general };

  it.each<[string, Endpoint, "sending" | "sent", boolean]>([
    ["may be created again if the bot may have created it", byBot, "sending", true],
    ["is not created again if the bot has created it", byBot, "sent", false],
    ["is not created again if a token may have created it", byToken, "sending", false],
  ])("%s", (_what, endpoint, state, mayRepeat) => {
    const parts: DeliveredPart[] = [{ state, id: state === "sent" ? "1" : null, since: 0 }];
    const route = new ReplyRoute({
      rest,
      rateLimiter: { readyAt: () => 0 },
      endpoint,
      botEndpoint: null,
      turnId: "turn-1",
      acknowledgedAt: 0,
      repliesTo: "2",
      ledger: { parts: () => parts, sending: () => true, sent: () => true, removed: () => true },
      links: plainLinks,
      findFirst: async () => "none",
    });
    expect(route.mayRepeat(0, NONCE_LIFE_MS)).toBe(mayRepeat);
  });

  it("is looked up as long as it points to its question, and no later message is", async () => {
    const hidden = { ok: false, kind: "refused", status: 400, code: 160002, limit: null, text: "" } as const;
    const route = new ReplyRoute({
      rest: { ...rest, create: async (_endpoint, { repliesTo: question }) => (question ? hidden : unused()) },
      rateLimiter: { readyAt: () => 0 },
      endpoint: byBot,
      botEndpoint: null,
      turnId: "turn-1",
      acknowledgedAt: 0,
      repliesTo: "2",
      ledger: {
        parts: () => [{ state: "sending", id: null, since: 0 }],
        sending: () => true,
        sent: () => true,
        removed: () => true,
      },
      links: plainLinks,
      findFirst: async () => "none",
    });
    expect([await route.find(0, 1e9, null), await route.find(1, 1e9, null)]).toEqual(["none", "unknown"]);
    await route.create(0, { content: "Yes." });
    expect(await route.find(0, 1e9, null)).toBe("unknown");
  });
});

describe("a token that stays unknown", () => {
  const unused = async () => ({ ok: false, kind: "unreachable", text: "" }) as const;

  const later = 10_000;

  it.each<[string, number, boolean, string | null | undefined, string]>([
    ["is tried again right after the acknowledgement", later - 1, false, "7", "later"],
    ["is no longer used if its response is found", later, false, "7", "again"],
    ["is tried again while Discord can't be asked for its response", later, false, undefined, "later"],
    ["ends the reply if no response is found", later, false, null, "gone"],
    ["ends the reply if the response is its scene's header", later, true, "7", "gone"],
  ])("%s", async (_what, now, asFollowups, found, verdict) => {
    const parts: DeliveredPart[] = [];
    const route = new ReplyRoute({
      rest: { create: unused, edit: unused, remove: unused, read: unused },
      rateLimiter: { readyAt: () => 0 },
      endpoint: { applicationId: APPLICATION.id, token: "t" },
      botEndpoint: { channelId: PLACES.general },
      turnId: "turn-1",
      acknowledgedAt: 0,
      asFollowups,
      repliesTo: null,
      ledger: {
        parts: () => parts,
        sending: () => true,
        sent: (_index, { id }) => parts.push({ state: "sent", id }) > 0,
        removed: () => true,
      },
      links: plainLinks,
      findResponse: async () => (found ? { id: found, ephemeral: false } : (found as null | undefined)),
    });
    expect(await route.ifUnknown(now)).toBe(verdict);
    expect([parts.map(({ id }) => id), route.isByBot]).toEqual(verdict === "again" ? [["7"], true] : [[], false]);
  });
});

it("all messages of an answer are visible only to its asker if the response is", async () => {
  const reply = await delivery({}, [], { privately: true, byBot: true });
  expect(await reply.finish(words(5000))).toEqual(OK);
  const seen = (as: string) => reply.discord.messages(PLACES.general, as).length;
  expect([seen(PEOPLE.theo), seen(PEOPLE.mira)]).toEqual([3, 0]);
});
