// Pictures for a model that can't fetch them.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createInlineImages } from "../../src/model/inline-images.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { fakeTimeouts } from "../support/fake-timeouts.ts";
import { question } from "./hosted.ts";

const BYTES = Uint8Array.from({ length: 20_000 }, (_, at) => at % 251);
const picture = (bytes: Uint8Array<ArrayBuffer> = BYTES, type = "image/png", status = 200) =>
  new Response(bytes, { status, headers: { "content-type": type } });
const asked = (...images: string[]): ModelRequest =>
  question("", { messages: [{ role: "user", text: "What is it?", images }] });
const signal = new AbortController().signal;

/** The message that is sent for these pictures, each of which gets this answer when it is fetched. */
async function shown(images: string[], answer: (url: string) => Response | Promise<Response>) {
  const read: string[] = [];
  const inline = createInlineImages(async (url) => {
    read.push(url);
    return await answer(url);
  });
  const { messages } = await inline(asked(...images), signal);
  return { message: messages[0] as { text: string; images?: string[] }, read, inline };
}

describe("a picture", () => {
  it("is sent as data, byte for byte", async () => {
    const { message } = await shown(["https://cdn.test/a.png"], () => picture());
    const [data = ""] = message.images ?? [];
    expect(data.startsWith("data:image/png;base64,")).toBe(true);
    expect(Buffer.from(data.split(",")[1] ?? "", "base64").equals(Buffer.from(BYTES))).toBe(true);
    expect(message.text).toBe("What is it?");
  });

  it("is read once for all steps of a turn", async () => {
    const { read, inline } = await shown(["https://cdn.test/a.png"], () => picture());
    await inline(asked("https://cdn.test/a.png"), signal);
    expect(read).toEqual(["https://cdn.test/a.png"]);
  });

  it("that can't be read delays no further step of a turn, and is requested again in the next turn", async () => {
    const url = "https://cdn.test/a.png";
    const { read, inline } = await shown([url], () => picture(BYTES, "image/png", 404));
    const [message] = asked(url).messages as [ModelRequest["messages"][number]];
    const step = (...results: string[]) => {
      const messages = results.map((text) => ({ role: "tool", callId: text, text }) as const);
      return inline(question("", { messages: [message, ...messages] }), signal);
    };
    await step("one");
    await step("one", "two");
    expect(read).toEqual([url]);
    await step("one", "two");
    expect(read).toEqual([url, url]);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ["of a kind that no model can read", () => picture(BYTES, "image/svg+xml")],
    ["that is gone", () => picture(BYTES, "image/png", 404)],
    ["without a byte", () => picture(new Uint8Array())],
    ["of more than 5 MiB", () => picture(new Uint8Array(5 * 1024 * 1024 + 1))],
    ["whose server can't be reached", () => Promise.reject(new Error("no route"))],
    ["that moved", () => new Response(null, { status: 302, headers: { location: "http://10.0.0.1/" } })],
  ])("%s is named in words instead", async (_, answer) => {
    const { message } = await shown(["https://cdn.test/a.png"], answer);
    expect(message).toEqual({ role: "user", text: "What is it?\n\n[you can't see 1 of the pictures]" });
  });

  it("is not read from any other kind of address, and data is passed on", async () => {
    const data = "data:image/png;base64,AAAA";
    const { message, read } = await shown(["file:///etc/passwd", data], () => picture());
    expect([message.images, read]).toEqual([[data], []]);
  });

  it("of an ordinary message, which Discord's CDN won't give a Worker, comes from its media proxy", async () => {
    const { message, read } = await shown(["https://cdn.discordapp.com/attachments/1/2/a.png?ex=3"], (url) =>
      url.startsWith("https://media.discordapp.net/") ? picture() : new Response(null, { status: 403 }),
    );
    expect(message.images).toHaveLength(1);
    expect(read).toEqual([
      "https://cdn.discordapp.com/attachments/1/2/a.png?ex=3",
      "https://media.discordapp.net/attachments/1/2/a.png?ex=3",
    ]);
  });

  it("of exactly 5 MiB is sent", async () => {
    const { message } = await shown(["https://cdn.test/a.png"], () => picture(new Uint8Array(5 * 1024 * 1024)));
    expect(message.images).toHaveLength(1);
  });

  it("beyond the newest five, or beyond 10 MiB in total, is left out", async () => {
    const six = Array.from({ length: 6 }, (_, at) => `https://cdn.test/${at}.png`);
    expect((await shown(six, () => picture())).message.images).toHaveLength(5);
    const large = await shown(six.slice(0, 3), () => picture(new Uint8Array(4 * 1024 * 1024)));
    expect([large.message.images?.length, large.message.text]).toEqual([
      2,
      "What is it?\n\n[you can't see 1 of the pictures]",
    ]);
  });
});

describe("a picture that does not come", () => {
  beforeEach(fakeTimeouts);
  afterEach(() => void vi.useRealTimers());
  const hangs = (_url: string, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) =>
      init?.signal?.addEventListener("abort", () => reject(new Error("late"))),
    );

  it("delays a request by 20 s at most, and leaves no timer that would keep the object in memory", async () => {
    const sent: ModelRequest[] = [];
    const sending = createInlineImages(hangs)(asked("https://cdn.test/a.png"), signal).then((one) => sent.push(one));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await sending;
    expect(vi.getTimerCount()).toBe(0);
    await createInlineImages(async () => picture())(asked("https://cdn.test/a.png"), signal);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("a request without pictures stays as it is", async () => {
  const request = question();
  const inline = createInlineImages(() => Promise.reject(new Error("not read")));
  expect(await inline(request, signal)).toBe(request);
});
