// Who may look: nobody without INSPECT_TOKEN, else anyone who knows it, by a form and a cookie or by a bearer token.
import { describe, expect, it } from "vitest";
import { type AppPorts, createApp } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { answerInspector } from "../../src/inspector/inspector.ts";
import type { InspectReader } from "../../src/inspector/reader.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";
import { CHANNEL, fakeReader, TURN } from "../support/inspected.ts";
import { notInspected, openScopes } from "../support/scopes.ts";

const TOKEN = "a token of the owner";
const ORIGIN = "https://parley.example";
const DAY_MS = 86_400_000;
const PAGES = ["/inspect", `/inspect/channels/${CHANNEL}`, `/inspect/channels/${CHANNEL}/turns/${TURN}`];

/** The inspector under a clock, with nobody signed in. */
function createDoor(changes: Partial<InspectReader> = {}, token = TOKEN) {
  const clock = { now: 1_900_000_000_000 };
  const reader = fakeReader(changes);
  const ask = (path: string, init: RequestInit = {}) =>
    answerInspector(new Request(ORIGIN + path, init), {
      ...{ token, reader, now: () => clock.now },
      logError: (line, detail) => {
        throw new Error(`${line} ${JSON.stringify(detail)}`);
      },
    });
  const get = (path: string, headers: Record<string, string> = {}) => ask(path, { headers });
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    ask(path, { method: "POST", body, headers });
  const signIn = async () => {
    const answer = await post("/inspect", `token=${encodeURIComponent(token)}`);
    return answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  };
  return { clock, reader, get, post, ask, signIn };
}

const createWorker = (variables: Record<string, string>, changes: Partial<AppPorts> = {}) =>
  createApp({
    config: parseConfig({
      ...{ DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX, DISCORD_APPLICATION_ID: "1", OPENAI_API_KEY: "key" },
      ...{ DISCORD_API_BASE_URL: "http://127.0.0.1/api/v10", ...variables },
    }),
    ...{ variables, scope: openScopes(), channel: notInspected, inspected: notInspected, countRefused: null },
    ...{ now: () => 0, after: () => () => {}, logError: () => {}, gatewayStatus: async () => "off" },
    fetch: async () => new Response(),
    ...changes,
  });

describe("without INSPECT_TOKEN", () => {
  const dispatch = (path: string, variables: Record<string, string>) =>
    createWorker(variables).fetch(new Request(ORIGIN + path));

  it("there is nothing below /inspect, and with one there is a form", async () => {
    const paths = ["/inspect", "/inspect.json", "/inspect/style.css", "/inspect/live.js", ...PAGES.slice(1)];
    for (const path of paths) expect((await dispatch(path, {})).status, path).toBe(404);
    for (const path of paths) expect((await dispatch(path, { INSPECT_TOKEN: TOKEN })).status, path).not.toBe(404);
    expect((await dispatch("/inspected", { INSPECT_TOKEN: TOKEN })).status).toBe(404);
  });

  it("doesn't count one shorter than 8 characters, which is a problem of the configuration", () => {
    const read = (INSPECT_TOKEN: string) => {
      const parsed = parseConfig({ INSPECT_TOKEN });
      return parsed.ok ? [] : parsed.problems.filter((problem) => problem.startsWith("INSPECT_TOKEN"));
    };
    expect(read("1234567")).toEqual(["INSPECT_TOKEN is shorter than 8 characters"]);
    expect([...read("12345678"), ...read("")]).toEqual([]);
  });
});

describe("the form", () => {
  it("is what everyone without a cookie gets, and nothing is read for them", async () => {
    const { get, reader } = createDoor();
    for (const path of [...PAGES, "/inspect/watch/1", "/inspect/nothing"]) {
      const answer = await get(path);
      expect([path, answer.status, (await answer.text()).includes('name="token"')]).toEqual([path, 200, true]);
    }
    expect(reader.asked).toEqual([]);
  });

  it("exchanges the token for a one-day cookie, and leads back to the page", async () => {
    const { get, post, clock } = createDoor();
    const answer = await post(PAGES[1] ?? "", `token=${encodeURIComponent(TOKEN)}`);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, PAGES[1]]);
    const cookie = answer.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/; Path=\/inspect; Max-Age=86400; Secure; HttpOnly; SameSite=Strict$/);
    const headers = { Cookie: `other=1; ${cookie.split(";")[0]}` };
    expect(await (await get(PAGES[1] ?? "", headers)).text()).not.toContain('name="token"');
    clock.now += DAY_MS - 1;
    expect(await (await get("/inspect", headers)).text()).not.toContain('name="token"');
    clock.now += 1;
    expect(await (await get("/inspect", headers)).text()).toContain('name="token"');
  });

  it("leads back to the same turns and to the same request of a page", async () => {
    const { post } = createDoor();
    for (const query of ["?person=42&status=error", "?request=3"]) {
      const answer = await post(PAGES[1] + query, `token=${encodeURIComponent(TOKEN)}`);
      expect(answer.headers.get("Location")).toBe(PAGES[1] + query);
    }
  });

  it("refuses another token, an empty one and an endless one", async () => {
    const { post } = createDoor();
    const bodies = ["token=another", "token=", "", `token=${"x".repeat(5000)}`, `token=${TOKEN}x`];
    for (const body of bodies) {
      const answer = await post("/inspect", body);
      expect([answer.status, answer.headers.get("Set-Cookie")]).toEqual([401, null]);
    }
  });

  it("refuses more tries after ten wrong tokens, even with the right one", async () => {
    const { post, reader } = createDoor({ mayTry: async () => false });
    const answer = await post("/inspect", `token=${encodeURIComponent(TOKEN)}`, { "CF-Connecting-IP": "192.0.2.1" });
    expect([answer.status, answer.headers.get("Set-Cookie")]).toEqual([429, null]);
    expect(reader.asked).toEqual([]);
  });

  it("counts by address, and an IPv6 network as one", async () => {
    const { post, reader } = createDoor();
    const addresses = ["192.0.2.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::9", "2001:db8::1", "2001:db8:0:0:1::"];
    for (const address of addresses) await post("/inspect", "token=another", { "CF-Connecting-IP": address });
    expect(reader.asked).toEqual(
      ["192.0.2.1", "2001:db8:1:2", "2001:db8:1:2", "2001:db8:0:0", "2001:db8:0:0"].map(
        (one) => `mayTry "${one}" false`,
      ),
    );
  });
});

describe("the cookie", () => {
  it("is worth nothing if it is forged, extended, or signed with another token", async () => {
    const { get, signIn, clock } = createDoor();
    const [name = "", value = ""] = (await signIn()).split("=");
    const [until = "", signature = ""] = value.split(".");
    const other = await createDoor({}, "the token of someone else").signIn();
    const forged = [
      `${name}=${Number(until) + DAY_MS}.${signature}`,
      `${name}=${until}.${"A".repeat(43)}`,
      `${name}=${until}.`,
      `${name}=${until}`,
      `${name}=${clock.now + DAY_MS}.${signature.slice(1)}A`,
      other,
    ];
    for (const cookie of forged) {
      const answer = await get("/inspect", { Cookie: cookie });
      expect([cookie, (await answer.text()).includes('name="token"')]).toEqual([cookie, true]);
    }
    expect(await (await get("/inspect", { Cookie: `${name}=${value}` })).text()).not.toContain('name="token"');
  });
});

describe("a bearer", () => {
  it("opens addresses that end in .json, but no page and no stream", async () => {
    const { get } = createDoor();
    const headers = { Authorization: `Bearer ${TOKEN}` };
    for (const path of PAGES) {
      expect([path, (await get(`${path}.json`, headers)).status]).toEqual([path, 200]);
      expect(await (await get(path, headers)).text()).toContain('name="token"');
    }
    expect(await (await get(`/inspect/watch/${CHANNEL}`, headers)).text()).toContain('name="token"');
  });

  it("is refused if it is wrong, and counted; a right one is not counted", async () => {
    const { get, reader } = createDoor();
    const refused = [{}, { Authorization: "Bearer another" }, { Authorization: `Basic ${TOKEN}` }];
    for (const headers of refused) expect((await get("/inspect.json", headers)).status).toBe(401);
    await get("/inspect.json", { Authorization: `Bearer ${TOKEN}` });
    expect(reader.asked).toEqual(['mayTry "" false', 'mayTry "" true', "home", expect.stringMatching(/^names /)]);
    const limited = createDoor({ mayTry: async () => false });
    expect((await limited.get("/inspect.json", { Authorization: `Bearer ${TOKEN}` })).status).toBe(429);
  });
});

describe("a flood of wrong tokens", () => {
  const asked: string[] = [];
  const scope: AppPorts["scope"] = (name) => ({
    ...openScopes()(name),
    mayTry: async (address, isRight) => asked.push(`${address} ${isRight}`) > 0,
  });
  const send = async (
    countRefused: AppPorts["countRefused"],
    tries: number,
    address = "192.0.2.1",
    token = "wrong",
  ) => {
    const app = createWorker({ INSPECT_TOKEN: TOKEN }, { scope, countRefused });
    const headers = { Authorization: `Bearer ${token}`, "CF-Connecting-IP": address };
    const statuses = new Set<number>();
    for (let sent = 0; sent < tries; sent++) {
      const paths = ["/inspect.json", "/health"];
      for (const path of paths) statuses.add((await app.fetch(new Request(ORIGIN + path, { headers }))).status);
    }
    return [[...statuses].sort(), asked.splice(0)];
  };

  it("from one address wakes the deployment's object, which all channels need, at most ten times a minute", async () => {
    const counts = new Map<string, number>();
    const limited = async (key: string) =>
      counts.set(key, (counts.get(key) ?? 0) + 1).get(key) !== undefined && (counts.get(key) ?? 0) <= 10;
    expect(await send(limited, 50)).toEqual([[200, 401, 429], Array(10).fill("192.0.2.1 false")]);
    expect(await send(limited, 1, "192.0.2.2")).toEqual([[200, 401], Array(2).fill("192.0.2.2 false")]);
    // Only the object decides about a right one.
    expect(await send(limited, 1, "192.0.2.1", TOKEN)).toEqual([[200], Array(2).fill("192.0.2.1 true")]);
  });

  it("is counted by that object alone if the runtime's limit is missing or fails", async () => {
    const each = [[200, 401], Array(4).fill("192.0.2.1 false")];
    expect(await send(null, 2)).toEqual(each);
    expect(await send(() => Promise.reject(new Error("internal error")), 2)).toEqual(each);
  });
});

describe("every answer", () => {
  it("to an unknown address says that nothing is there, and is not a failure", async () => {
    const { get, signIn } = createDoor();
    const headers = { Cookie: await signIn() };
    for (const path of ["/inspect/%", "/inspect/channels/%E0%A4%A", "/inspect/turn/1/%ff.json", "/inspect/watch/%"])
      expect([path, (await get(path, headers)).status]).toEqual([path, 404]);
    expect((await get("/inspect/channels/1%3a21", headers)).status).toBe(200);
  });

  it("is the same at the shorter addresses that pages had before", async () => {
    const { get, signIn } = createDoor();
    const headers = { Cookie: await signIn() };
    const text = async (path: string) => (await get(path, headers)).text();
    expect(await text(`/inspect/channel/${CHANNEL}`)).toBe(await text(PAGES[1] ?? ""));
    expect(await text(`/inspect/turn/${CHANNEL}/${TURN}`)).toBe(await text(PAGES[2] ?? ""));
    for (const path of [
      "/inspect/channels",
      "/inspect/channels/",
      "/inspect/channels/1/turns",
      "/inspect/channels/1/2",
    ])
      expect([path, (await get(path, headers)).status]).toEqual([path, 404]);
  });

  it("forbids everything that is not its own: scripts, frames, caches, guessed types, the address as a referrer", async () => {
    const { get, post, signIn } = createDoor();
    const headers = { Cookie: await signIn() };
    const answers = await Promise.all([
      ...["/inspect", ...PAGES, "/inspect.json", "/inspect/nothing", "/inspect/style.css"].map((path) =>
        get(path, headers),
      ),
      get("/inspect"),
      post("/inspect", "token=another"),
    ]);
    for (const { headers: got } of answers) {
      expect(got.get("Content-Security-Policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
      expect(got.get("Content-Security-Policy")).not.toContain("unsafe");
      expect([got.get("Cache-Control"), got.get("X-Content-Type-Options"), got.get("Referrer-Policy")]).toEqual([
        "no-store",
        "nosniff",
        "no-referrer",
      ]);
    }
  });

  it("has no script and no style in the page itself", async () => {
    const { get, signIn } = createDoor();
    const headers = { Cookie: await signIn() };
    for (const path of PAGES) {
      const text = await (await get(path, headers)).text();
      expect(text).not.toMatch(/<script(?! src="\/inspect\/live\.js" defer><\/script>)|<style|\sstyle=|\son\w+=/);
    }
  });
});
