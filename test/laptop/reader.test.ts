// What the bot's tools may reach from this computer: the requests that are made for the runtime, over real loopback HTTP.
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcp, type LookupFunction, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { READER_KEY, REFUSED, TARGET, throughReader } from "../../src/laptop/public-web.ts";
import { type LookUp, publicLookup, readPublic } from "../../src/laptop/reader.ts";
import { type Served, serve } from "../../src/playground/serve.ts";

const KEY = "k";
const served: Served[] = [];
afterEach(() => Promise.all(served.splice(0).map((one) => one.close())));

/** A name server that gives these addresses for every name. */
const leadsTo =
  (...addresses: string[]): LookUp =>
  (_, __, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

const askFor = (target: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  new Request("http://127.0.0.1/read", { ...init, headers: { ...init.headers, [TARGET]: target, [READER_KEY]: KEY } });

/** Names lead to this computer, as if it were public. */
const here: LookupFunction = (_, { all }, done) => {
  if (all) done(null, [{ address: "127.0.0.1", family: 4 }]);
  else done(null, "127.0.0.1", 4);
};

/** The port at which a server listens until the test ends. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  served.push({ url: "", close: async () => void server.close() });
  return (server.address() as AddressInfo).port;
}

describe("a name", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "192.168.1.1",
    "169.254.169.254",
    "::1",
    "fe80::1%eth0",
    "fd00::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
  ])("that leads to %s is not requested, even if another of its addresses is public", async (address) => {
    for (const resolve of [leadsTo(address), leadsTo("8.8.8.8", address)]) {
      const answer = await readPublic(askFor("http://inside.example/"), KEY, publicLookup(resolve));
      expect(answer.status).toBe(502);
      expect(decodeURIComponent(answer.headers.get(REFUSED) ?? "")).toBe("inside.example leads into a private network");
    }
  });

  it("that leads to public addresses is connected to them, in either form of lookup", () => {
    const asked: unknown[] = [];
    const lookup = publicLookup(leadsTo("8.8.8.8", "2001:4860:4860::8888"));
    lookup("a.example", { all: true }, (...said) => void asked.push(said));
    lookup("a.example", {}, (...said) => void asked.push(said));
    const both = [
      { address: "8.8.8.8", family: 4 },
      { address: "2001:4860:4860::8888", family: 6 },
    ];
    expect(asked).toEqual([
      [null, both],
      [null, "8.8.8.8", 4],
    ]);
  });

  it("that is unknown, or leads nowhere, fails like a connection", async () => {
    const unknown: LookUp = (_, __, done) => done(new Error("ENOTFOUND a.example"), []);
    for (const resolve of [unknown, leadsTo()]) {
      const answer = await readPublic(askFor("http://a.example/"), KEY, publicLookup(resolve));
      expect([answer.status, answer.headers.has(REFUSED)]).toEqual([502, true]);
    }
  });
});

describe("what is read", () => {
  /** A web server on this computer, and what it was asked. */
  async function web() {
    const asked: unknown[] = [];
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const { host, "x-own": own, ...others } = request.headers;
      asked.push([
        request.method,
        request.url,
        host,
        own,
        body,
        Object.keys(others).filter((name) => name.startsWith("x-")),
      ]);
      if (request.url === "/moved") return void response.writeHead(302, { location: "/there" }).end();
      if (request.url === "/none") return void response.writeHead(204).end();
      response.writeHead(200, { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] }).end("a page");
    });
    return { asked, origin: `http://a.example:${await listening(server)}` };
  }

  it("comes unchanged, with what was asked, and without what belongs to the connection between the two", async () => {
    const { asked, origin } = await web();
    const page = await readPublic(askFor(`${origin}/page?q=1`, { headers: { "x-own": "mine" } }), KEY, here);
    expect([page.status, page.headers.get("content-type"), page.headers.getSetCookie(), await page.text()]).toEqual([
      200,
      "text/plain",
      ["a=1", "b=2"],
      "a page",
    ]);
    const posted = askFor(`${origin}/page`, { method: "POST", body: "words" });
    expect(await (await readPublic(posted, KEY, here)).text()).toBe("a page");
    const { host } = new URL(origin);
    expect(asked).toEqual([
      ["GET", "/page?q=1", host, "mine", "", []],
      ["POST", "/page", host, undefined, "words", []],
    ]);
  });

  it("follows no redirect, and may have no body", async () => {
    const { origin } = await web();
    const moved = await readPublic(askFor(`${origin}/moved`), KEY, here);
    expect([moved.status, moved.headers.get("location")]).toEqual([302, "/there"]);
    expect((await readPublic(askFor(`${origin}/none`), KEY, here)).status).toBe(204);
  });

  it.each([
    ["a status that no answer can have", "HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["what is no HTTP", "220 mail.example ESMTP\r\n"],
    ["nothing", ""],
  ])("fails if the server answers %s", async (_, bytes) => {
    const server = createTcp((socket) => socket.on("error", () => {}).end(bytes));
    const port = await listening(server);
    const answer = await readPublic(askFor(`http://a.example:${port}/`), KEY, here);
    expect([answer.status, answer.headers.has(REFUSED)]).toEqual([502, true]);
  });

  it("breaks off if the server does, and ends when the one who asked leaves", async () => {
    let isOpen = false;
    const closed = Promise.withResolvers<void>();
    const server = createTcp((socket) => {
      isOpen = true;
      socket.on("error", () => {}).on("close", closed.resolve);
      socket.write("HTTP/1.1 200 OK\r\nx-parley-refused: no\r\ncontent-length: 99\r\n\r\nhalf");
      socket.once("data", (words) => void (String(words).includes("/cut") && socket.destroy()));
    });
    const port = await listening(server);
    const half = await readPublic(askFor(`http://a.example:${port}/cut`), KEY, here);
    expect(half.headers.has(REFUSED)).toBe(false);
    await expect(half.text()).rejects.toThrow();
    const left = new AbortController();
    const whole = await readPublic(askFor(`http://a.example:${port}/`, { signal: left.signal }), KEY, here);
    const read = whole.text();
    left.abort();
    await expect(read).rejects.toThrow();
    await closed.promise;
    expect(isOpen).toBe(true);
  });

  it("is only for callers that know the key, and only for http and https to a public host", async () => {
    const { origin, asked } = await web();
    const stranger = new Request("http://127.0.0.1/read", { headers: { [TARGET]: origin, [READER_KEY]: "x" } });
    expect((await readPublic(stranger, KEY, here)).status).toBe(403);
    expect((await readPublic(new Request("http://127.0.0.1/read"), KEY, here)).status).toBe(403);
    for (const target of [
      "file:///etc/passwd",
      "http://127.0.0.1/",
      "http://[::1]/",
      "http://localhost/",
      "http://router.lan/",
    ])
      expect((await readPublic(askFor(target), KEY, here)).headers.has(REFUSED)).toBe(true);
    expect((await readPublic(askFor("no address"), KEY, here)).status).toBe(403);
    expect(asked).toEqual([]);
  });
});

describe("the runtime", () => {
  it("has every name read except private hosts, and requests numeric addresses by itself", async () => {
    const asked: string[] = [];
    const send = throughReader(
      async (url, init) => {
        const headers = new Headers(init?.headers);
        asked.push([url, headers.get(TARGET), headers.get(READER_KEY), headers.get("x-own"), init?.redirect].join(" "));
        return new Response("a page");
      },
      { url: "http://127.0.0.1:1/read", key: KEY },
      new Set(["printer.lan:80"]),
    );
    const own = { headers: { "x-own": "mine" } };
    for (const url of ["http://printer.lan/", "http://8.8.8.8/", "http://[::1]/"]) await send(url, own);
    expect(asked).toEqual(["http://printer.lan/   mine ", "http://8.8.8.8/   mine ", "http://[::1]/   mine "]);
    asked.length = 0;
    expect(await (await send(new URL("https://a.example/b"), own)).text()).toBe("a page");
    await send("http://printer.lan:8080/");
    // A redirect that the runtime followed would not be checked.
    expect(asked).toEqual([
      "http://127.0.0.1:1/read https://a.example/b k mine manual",
      "http://127.0.0.1:1/read http://printer.lan:8080/ k  manual",
    ]);
  });

  it("fails with the reader's reason", async () => {
    const page = await serve((request) => readPublic(request, KEY, publicLookup(leadsTo("10.0.0.1"))));
    served.push(page);
    const send = throughReader((url, init) => fetch(url, init), { url: page.url, key: KEY }, new Set());
    await expect(send("http://inside.example/")).rejects.toThrow("inside.example leads into a private network");
  });
});
