// Reads the files that people attach: only from Discord's own hosts, no more of a file than is used, and never with an
// exception.
import { describe, expect, it } from "vitest";
import type { Attachment } from "../../../src/core/state/attachments.ts";
import { createAttachmentReader } from "../../../src/discord/rest/attachment-reader.ts";
import { createLocalDiscord } from "../../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../../src/playground/discord/world.ts";
import { createTestClock } from "../../support/clock.ts";

const CDN = "https://cdn.discordapp.com/ephemeral-attachments/1/2/a.txt";
const PROXY = "https://media.discordapp.net/ephemeral-attachments/1/2/a.txt";
const file = (over: Partial<Attachment> = {}): Attachment => ({
  id: "2",
  filename: "a.txt",
  contentType: "text/plain",
  size: 5,
  url: CDN,
  proxyUrl: PROXY,
  ...over,
});
const NEVER = new AbortController().signal;

/** A reader whose network gives these answers, by address; and what it requested, in order. */
function reading(answers: Record<string, () => Response | Promise<Response>>, localHost: string | null = null) {
  const clock = createTestClock(0);
  const asked: string[] = [];
  const reader = createAttachmentReader({
    timers: clock.timers,
    userAgent: "DiscordBot (https://example.org, 1)",
    localHost,
    async fetch(address, { headers, redirect, signal } = {}) {
      asked.push(`${address} ${redirect} ${new Headers(headers).get("user-agent")}`);
      signal?.throwIfAborted();
      const silence = new Promise<Response>((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
      return Promise.race([answers[address]?.() ?? new Response("", { status: 404 }), silence]);
    },
  });
  return { reader, asked, clock };
}

describe("a network that hangs and ignores the signal", () => {
  it("is given up after ten seconds by every method, and at once when the turn's own signal fires", async () => {
    const clock = createTestClock(0);
    const fetch = () => new Promise<Response>(() => {});
    const reader = createAttachmentReader({ timers: clock.timers, userAgent: "test", localHost: null, fetch });
    const given = reader.readText(file(), 100, NEVER);
    await clock.advance(20_000);
    expect(await given).toEqual({ ok: false, reason: "unreachable" });
    const stop = new AbortController();
    const stopped = reader.readText(file(), 100, stop.signal);
    stop.abort();
    expect(await stopped).toEqual({ ok: false, reason: "unreachable" });
    expect(clock.pending()).toBe(0);
  });
});

describe("a text file", () => {
  it("is read from Discord's CDN, with our user agent and without following a redirect", async () => {
    const { reader, asked, clock } = reading({ [CDN]: () => new Response("hello") });
    expect(await reader.readText(file(), 100, NEVER)).toEqual({ ok: true, text: "hello", bytes: 5 });
    expect(asked).toEqual([`${CDN} manual DiscordBot (https://example.org, 1)`]);
    expect(clock.pending()).toBe(0);
  });

  it.each([
    ["403", () => new Response("no", { status: 403 })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "http://169.254.0.1/" } })],
    ["a broken connection", () => Promise.reject(new Error("connection lost"))],
  ])("is tried through the proxy if the CDN answers with %s, and then given up", async (_, answer) => {
    const second = reading({ [CDN]: answer, [PROXY]: () => new Response("hello") });
    expect(await second.reader.readText(file(), 100, NEVER)).toEqual({ ok: true, text: "hello", bytes: 5 });
    const none = reading({ [CDN]: answer, [PROXY]: answer });
    expect(await none.reader.readText(file(), 100, NEVER)).toEqual({ ok: false, reason: "unreachable" });
    expect(none.asked).toHaveLength(2);
  });

  it("is waited for ten seconds at each address if it never comes", async () => {
    const silent = () => new Promise<Response>(() => {});
    const { reader, clock, asked } = reading({ [CDN]: silent, [PROXY]: silent });
    let result: unknown = null;
    void reader.readText(file(), 100, NEVER).then((read) => {
      result = read;
    });
    await clock.advance(19_999);
    expect([result, asked.length]).toEqual([null, 2]);
    await clock.advance(1);
    expect(result).toEqual({ ok: false, reason: "unreachable" });
  });

  it("is given up at once when the turn ends", async () => {
    const stop = new AbortController();
    const { reader, clock } = reading({ [CDN]: () => new Promise(() => {}) });
    const read = reader.readText(file(), 100, stop.signal);
    stop.abort();
    expect(await read).toEqual({ ok: false, reason: "unreachable" });
    expect(clock.pending()).toBe(0);
  });

  it("is read no further than requested, and a character cut in two at that point is left out", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new TextEncoder().encode("é".repeat(500)));
      },
    });
    const { reader } = reading({ [CDN]: () => new Response(endless) });
    const read = await reader.readText(file(), 1501, NEVER);
    expect(read).toEqual({ ok: true, text: "é".repeat(750), bytes: 1501 });
    expect(pulled).toBeLessThan(5);
  });

  it.each([
    ["UTF-8 with a byte order mark", [0xef, 0xbb, 0xbf, 0x68, 0x69], "hi"],
    ["UTF-16 with a byte order mark", [0xff, 0xfe, 0x68, 0, 0x69, 0], "hi"],
    ["big-endian UTF-16 with a byte order mark", [0xfe, 0xff, 0, 0x68, 0, 0x69], "hi"],
    ["UTF-8 with the first half of such a mark", [0xff, 0x68], "\ufffdh"],
    ["UTF-8 with the first half of the other", [0xfe, 0x68], "\ufffdh"],
    ["UTF-8 with the second half of the one", [0x68, 0xfe, 0x69], "h\ufffdi"],
    ["UTF-8 with the second half of the other", [0x68, 0xff, 0x69], "h\ufffdi"],
    ["nothing", [], ""],
  ])("is decoded from %s", async (_, bytes, text) => {
    const { reader } = reading({ [CDN]: () => new Response(Uint8Array.from(bytes)) });
    expect(await reader.readText(file(), 100, NEVER)).toEqual({ ok: true, text, bytes: bytes.length });
  });

  it("is reported as not text if it is binary, and not requested again", async () => {
    const { reader, asked } = reading({ [CDN]: () => new Response(Uint8Array.from([0x4d, 0x5a, 0, 0])) });
    expect(await reader.readText(file(), 100, NEVER)).toEqual({ ok: false, reason: "not_text" });
    expect(asked).toHaveLength(1);
  });
});

describe("an address that is not Discord's", () => {
  it.each([
    "https://example.org/a.txt",
    "http://cdn.discordapp.com/a.txt",
    "https://cdn.discordapp.com.example.org/a.txt",
    "https://cdn.discordapp.com:8443/a.txt",
    "https://cdn.discordapp.com@example.org/a.txt",
    "http://127.0.0.1:8787/a.txt",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
    "nonsense",
  ])("is never requested or passed to a model: %s", async (url) => {
    const { reader, asked } = reading({});
    expect(await reader.readText(file({ url, proxyUrl: url }), 100, NEVER)).toEqual({
      ok: false,
      reason: "unreachable",
    });
    expect([reader.imageUrl(file({ url })), asked]).toEqual([null, []]);
  });

  it("is trusted if it is that of an external picture at Discord's proxy", () => {
    const url = "https://images-ext-1.discordapp.net/external/x/https/pictures.test/a.png";
    expect(reading({}).reader.imageUrl(file({ url }))).toBe(url);
  });

  it("is trusted if it is the local Discord's, on that port only", async () => {
    const url = "http://127.0.0.1:8787/ephemeral-attachments/1/2/a.txt";
    const { reader } = reading({ [url]: () => new Response("hello") }, "127.0.0.1:8787");
    expect(await reader.readText(file({ url, proxyUrl: url }), 100, NEVER)).toMatchObject({ ok: true });
    expect(reader.imageUrl(file({ url }))).toBe(url);
    expect(reader.imageUrl(file({ url: "http://127.0.0.1:8788/a.png" }))).toBeNull();
  });
});

it("the local Discord also refuses to give a Worker the file of an ordinary message, and its proxy gives it out only on request", async () => {
  const discord = createLocalDiscord({ now: () => 0, dispatch: async () => Response.json({ type: 5 }) });
  const file = { filename: "a.txt", text: "hello" };
  discord.speak({ as: PEOPLE.theo, channel: PLACES.general, content: "look", file });
  const url = discord.messages(PLACES.general, PEOPLE.theo).at(-1)?.attachments[0]?.url ?? "";
  const status = async (userAgent: string, address = url) =>
    (await discord.fetch(new Request(address, { headers: { "user-agent": userAgent } }))).status;
  const bot = "DiscordBot (https://example.org, 1)";
  expect([await status(bot), await status("Mozilla/5.0")]).toEqual([403, 200]);
  const proxy = `${url}?by=proxy`;
  const before = await status(bot, proxy);
  discord.configure({ proxyHandsOut: true });
  expect([before, await status(bot, proxy), await status(bot)]).toEqual([403, 200, 403]);
});

it("the file of an interaction is read from the local Discord unchanged", async () => {
  const bodies: string[] = [];
  const discord = createLocalDiscord({
    now: () => 0,
    dispatch: async (request) => {
      bodies.push(await request.text());
      return Response.json({ type: 5 });
    },
  });
  const attachment = { filename: "notes.md", contentType: "text/markdown", text: "# Notes\n漢字" };
  const options = { message: "read", file: { attachment } };
  await discord.interact({ as: PEOPLE.theo, channel: PLACES.general, kind: "command", name: "chat", options });
  const { data } = JSON.parse(bodies[0] ?? "") as {
    data: { resolved: { attachments: Record<string, { url: string }> } };
  };
  const [{ url } = { url: "" }] = Object.values(data.resolved.attachments);
  const reader = createAttachmentReader({
    fetch: async (address) => discord.fetch(new Request(address)),
    timers: createTestClock(0).timers,
    userAgent: "x",
    localHost: null,
  });
  expect(await reader.readText(file({ url }), 100, NEVER)).toMatchObject({ ok: true, text: "# Notes\n漢字" });
});
