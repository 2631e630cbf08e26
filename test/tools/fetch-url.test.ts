// Reading a page over real sockets: what is read, what is refused on the way, how much is read, and that a stop closes the
// connection at the server.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Taint } from "../../src/core/taint/taint.ts";
import { fetchUrl } from "../../src/tools/fetch-url.ts";
import { endless, eventually, toolOver, type WebServer, webServer } from "../support/web-server.ts";

let web: WebServer;
let hosts: ReadonlySet<string>;
beforeAll(async () => {
  web = await webServer();
  hosts = new Set([new URL(web.url).host]);
});
afterAll(() => web.close());

const tool = () => toolOver(fetchUrl, { privateHosts: hosts });
const read = (path: string) => tool().call({ url: web.url + path });
const serves = (path: string, body: string | Uint8Array<ArrayBuffer>, type: string | null = "text/plain") =>
  web.answer(path, () => new Response(body, { headers: type === null ? {} : { "content-type": type } }));
const redirects = (path: string, location: string, status = 302) =>
  web.answer(path, () => new Response("moved", { status, headers: { location } }));

describe("a page", () => {
  it("in HTML is read with its title, text and links", async () => {
    serves("/page", '<title>Hi</title><h1>Hello</h1><a href="/more">More</a>', "text/html; charset=utf-8");
    expect(await read("/page")).toEqual({
      ok: true,
      status: "ok",
      data: {
        url: `${web.url}/page`,
        title: "Hi",
        text: "# Hello\nMore",
        links: [{ text: "More", url: `${web.url}/more` }],
      },
    });
  });

  it.each([
    ["JSON", "application/json", '{"a":1}'],
    ["a JSON dialect", "application/ld+json", '{"@id":1}'],
    ["a feed", "application/rss+xml", "<rss/>"],
    ["a table", "text/csv", "a,b"],
    ["no stated type", null, "words"],
  ])("of %s is read unchanged", async (_what, type, body) => {
    web.answer(
      "/plain",
      () => new Response(new TextEncoder().encode(body), type ? { headers: { "content-type": type } } : {}),
    );
    expect(await read("/plain")).toEqual({ ok: true, status: "ok", data: { url: `${web.url}/plain`, text: body } });
  });

  it.each([
    ["its header", "text/plain; charset=ISO-8859-1", [0x63, 0x61, 0x66, 0xe9]],
    ["its quoted header", 'text/plain; charset="windows-1252"', [0x63, 0x61, 0x66, 0xe9]],
    ["its byte order mark", "text/plain; charset=utf-8", [0xff, 0xfe, 0x63, 0, 0x61, 0, 0x66, 0, 0xe9, 0]],
    ["its meta tag", "text/html", [...new TextEncoder().encode("<meta charset='latin1'>caf"), 0xe9]],
    [
      "its XML declaration",
      "application/xhtml+xml",
      [...new TextEncoder().encode('<?xml version="1.0" encoding="ISO-8859-1"?>\n<p>caf'), 0xe9],
    ],
    // Text whose tags can be read as bytes is not in UTF-16, whatever it says.
    [
      "the default, when its meta tag can't be true",
      "text/html",
      [...new TextEncoder().encode('<meta charset="utf-16">caf'), 0xc3, 0xa9],
    ],
    ["the default, when nothing names one", "text/plain", [0x63, 0x61, 0x66, 0xc3, 0xa9]],
    ["the default, when its name is unknown", "text/plain; charset=klingon", [0x63, 0x61, 0x66, 0xc3, 0xa9]],
  ])("takes its encoding from %s", async (_what, type, bytes) => {
    serves("/encoded", new Uint8Array(bytes), type);
    expect(await read("/encoded")).toMatchObject({ data: { text: "café" } });
  });

  it.each([
    ["a picture", "image/png", "\x89PNG", "is image/png, not text"],
    ["a PDF", "application/pdf", "%PDF", "is application/pdf, not text"],
    ["bytes that claim to be text", "text/plain", "a\0b", "claims to be text but is not"],
  ])("that is %s is not read", async (_what, type, body, reason) => {
    serves("/binary", body, type);
    expect(await read("/binary")).toEqual({ ok: false, status: "error", error: `${web.url}/binary ${reason}` });
  });

  it.each<[string, string | null]>([
    ["twice", "text/html,text/html; charset=utf-8"],
    ["without what separates it from its encoding", "text/html charset=utf-8"],
    ["with too many separators", "Text/HTML;;charset=UTF-8"],
    ["not at all", null],
    ["as nothing", ""],
  ])("is read as HTML if its type is written %s", async (_what, type) => {
    const body = new TextEncoder().encode("\n<!DOCTYPE html><title>Hi</title><p>caf\u00e9");
    serves("/typed", body, type);
    expect(await read("/typed")).toMatchObject({ data: { title: "Hi", text: "caf\u00e9" } });
  });

  it("says that it has no text before its scripts run, and where it redirects by itself", async () => {
    serves(
      "/app",
      '<title>App</title><meta http-equiv="refresh" content="0; url=/app/en"><div id=root></div>',
      "text/html",
    );
    expect(await read("/app")).toMatchObject({
      ok: true,
      data: {
        title: "App",
        text: "",
        note: "this page has no text until its scripts run",
        links: [{ text: "", url: `${web.url}/app/en` }],
      },
    });
  });

  it("is read even if its title is endless", async () => {
    serves("/title", `<title>${"t".repeat(50_000)}</title><p>words`, "text/html");
    expect(await read("/title")).toMatchObject({ data: { title: "t".repeat(300), text: "words" } });
  });

  it("is cut, and says so, if it is too long for a model", async () => {
    serves("/long", "word ".repeat(10_000));
    const result = await read("/long");
    expect(result.data).toEqual({
      url: `${web.url}/long`,
      text: "word ".repeat(2400),
      cut: "the page is longer; this is its beginning",
    });
  });

  it("keeps no part of a secret that a cut goes through", async () => {
    const secret = `sk-${"a1".repeat(20)}`;
    serves("/long", `${"x".repeat(11_980)} ${secret} and more`);
    const link = `<a href="/more">${"y".repeat(90)} ${secret}</a>`;
    serves("/links", link, "text/html");
    expect(JSON.stringify([await read("/long"), await read("/links")])).not.toContain("sk-");
  });

  it("is read up to one mebibyte, and then its connection is closed", async () => {
    const chunk = new TextEncoder().encode("x".repeat(64 * 1024));
    web.answer(
      "/flood",
      () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), {
          headers: { "content-type": "text/plain" },
        }),
    );
    expect(await read("/flood")).toMatchObject({ ok: true, data: { cut: expect.any(String) } });
    await eventually(() => web.lost.includes("/flood"));
  });

  it("is requested anonymously: without a cookie, a key or a referrer", async () => {
    serves("/headers", "x");
    await read("/headers");
    const { headers } = web.requests.findLast(({ url }) => url.endsWith("/headers")) ?? new Request(web.url);
    const own = ["accept", "user-agent"].map((name) => headers.get(name));
    expect(own).toEqual([expect.stringContaining("text/html"), expect.stringContaining("Parley")]);
    expect(["cookie", "authorization", "referer"].map((name) => headers.get(name))).toEqual([null, null, null]);
  });
});

describe("the same page again", () => {
  it("comes from the object's memory for 300 s, even in another turn", async () => {
    let times = 0;
    web.answer("/again", () => new Response(`number ${++times}`));
    const reader = tool();
    const again = async (turnId: string) => (await reader.call({ url: `${web.url}/again` }, { turnId })).data;
    const first = { url: `${web.url}/again`, text: "number 1" };
    expect([await again("1"), await again("2")]).toEqual([first, first]);
    await reader.clock.advance(299_999);
    expect(await again("3")).toEqual(first);
    await reader.clock.advance(1);
    expect(await again("3")).toMatchObject({ text: "number 2" });
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("with status %i is followed", async (status) => {
    redirects("/from", "/to", status);
    serves("/to", "arrived");
    expect(await read("/from")).toMatchObject({ data: { url: `${web.url}/to`, text: "arrived" } });
  });

  it.each([
    ["loopback", "http://127.0.0.1:1/", "its host is not on the public internet"],
    ["loopback as a number", "http://2130706433:1/", "its host is not on the public internet"],
    ["loopback in IPv6", "http://[::ffff:7f00:1]:1/", "its host is not on the public internet"],
    ["metadata", "//169.254.169.254/latest/", "its host is not on the public internet"],
    ["localhost", "http://localhost:1/", "its host is not on the public internet"],
    ["a file", "file:///etc/passwd", "only http and https can be read"],
    ["data", "data:text/plain,hello", "only http and https can be read"],
    ["a user's account", "http://a:b@example.com/", "it contains a user name or a password"],
    ["an incomplete address", "http://[", "it is not a complete URL; it must begin with https:// or http://"],
  ])("to %s is checked like the first address and not followed", async (_what, location, reason) => {
    redirects("/trap", location);
    const result = await read("/trap");
    expect(result).toMatchObject({ ok: false, status: "error" });
    expect(result.error).toMatch(/^its redirect to .* can't be read: /);
    expect(result.error).toContain(reason);
  });

  it("is checked at the second hop too", async () => {
    redirects("/first", "/second");
    redirects("/second", "http://127.0.0.1:1/");
    expect(await read("/first")).toMatchObject({
      error: "its redirect to http://127.0.0.1:1/ can't be read: its host is not on the public internet",
    });
  });

  it("in a turn that has read strangers' words stays on its host, or leads to an address that was given", async () => {
    const other = await webServer();
    const both = new Set([...hosts, new URL(other.url).host]);
    const isKnown = (address: string) => address.startsWith(web.url) || address === `${other.url}/given`;
    const readIn = (level: Taint, path: string) =>
      toolOver(fetchUrl, { privateHosts: both }).call(
        { url: web.url + path },
        { taint: { level, isAskedFor: () => false, isKnown } },
      );
    for (const path of ["/given", "/other", "/other?n=1"]) {
      other.answer(path, () => new Response("there"));
      redirects(`/to${path.replace("?", "-")}`, other.url + path);
    }
    redirects("/here", "/plain-text");
    serves("/plain-text", "here");
    const reached = async (level: Taint, path: string) => (await readIn(level, path)).ok;
    expect(await Promise.all(["/here", "/to/given", "/to/other"].map((path) => reached("full", path)))).toEqual([
      true,
      true,
      false,
    ]);
    expect([await reached("weak", "/to/other"), await reached("weak", "/to/other-n=1")]).toEqual([true, false]);
    expect(await reached("none", "/to/other-n=1")).toBe(true);
    expect((await readIn("full", "/to/other")).error).toBe(
      `its redirect to ${other.url}/other is not followed: it leads to another host; to read that, call this tool with that URL`,
    );
    await other.close();
  });

  it("in a circle is followed five times", async () => {
    redirects("/circle", "/circle");
    expect(await read("/circle")).toEqual({
      ok: false,
      status: "error",
      error: "the URL redirects more than 5 times",
    });
    expect(web.asked.filter((path) => path === "/circle")).toHaveLength(6);
  });

  it("without a location is treated like any other answer", async () => {
    web.answer("/nowhere", () => new Response("x", { status: 302 }));
    expect(await read("/nowhere")).toMatchObject({ ok: false, error: expect.stringContaining("302") });
  });
});

describe("an address", () => {
  it("gets no request if it is not allowed", async () => {
    const strict = toolOver(fetchUrl, { fetch: () => Promise.reject(new Error("asked")) });
    expect(await strict.call({ url: "http://127.0.0.1/" })).toEqual({
      ok: false,
      status: "error",
      error: "the URL can't be read: its host is not on the public internet",
    });
  });

  it("is requested once if it is gone, and four times if it fails", async () => {
    web.answer("/gone", () => new Response("x", { status: 410 }));
    expect(await read("/gone")).toMatchObject({ ok: false, error: expect.stringContaining("answered 410") });
    web.answer("/ill", () => new Response("x", { status: 503 }));
    const patient = tool();
    const result = patient.call({ url: `${web.url}/ill` });
    for (const times of [1, 2, 3]) {
      await eventually(() => patient.pauses().length === times);
      await patient.clock.advance(10_000);
    }
    expect(await result).toMatchObject({ ok: false, error: expect.stringContaining("answered 503") });
    expect([web.asked.filter((path) => path === "/gone"), web.asked.filter((path) => path === "/ill")]).toEqual([
      ["/gone"],
      ["/ill", "/ill", "/ill", "/ill"],
    ]);
  });
});

it("a name that leads nowhere is reported in words if the platform gives only a reference", async () => {
  const fetch = async () => Promise.reject(new Error("internal error; reference = od35bk4mh5clu8ee4oakt25u"));
  const read = await toolOver(fetchUrl, { fetch }).call({ url: "https://nowhere.example/page" });
  expect(read).toEqual({ ok: false, status: "error", error: "nowhere.example can't be reached" });
});

describe("a stop", () => {
  it.each([
    ["before the first byte", "/silent", () => new Promise<Response>(() => {})],
    ["within the body", "/half", () => endless()],
  ])("%s closes the connection, which the server sees", async (_what, path, answer) => {
    web.answer(path, answer);
    const running = tool();
    const result = running.call({ url: web.url + path });
    await eventually(() => web.asked.includes(path));
    running.stop();
    expect(await result).toEqual({ ok: false, status: "aborted", error: "the turn was ended" });
    await eventually(() => web.lost.includes(path));
  });

  it("ends the wait between two attempts at once", async () => {
    web.answer("/busy", () => new Response("x", { status: 429, headers: { "retry-after": "9" } }));
    const running = tool();
    const result = running.call({ url: `${web.url}/busy` });
    await eventually(() => running.pauses().includes(9000));
    running.stop();
    expect(await result).toEqual({ ok: false, status: "aborted", error: "the turn was ended" });
    expect(web.asked.filter((path) => path === "/busy")).toEqual(["/busy"]);
  });
});
