// The names of servers and channels for the inspector: which requests they take, and what is remembered.
import { describe, expect, it } from "vitest";
import { createPlaceNames } from "../../../src/discord/rest/place-names.ts";

const [GUILD, OTHER, CHANNEL, HIDDEN] = ["1", "2", "11", "12"];
const HOUR_MS = 3_600_000;

/** Discord with one server and one channel that the bot may see. `fails`, if set, gives the answer instead. */
function discord(botToken: string | null = "t") {
  const scene = { now: 0, asked: [] as string[], fails: null as (() => Response | Promise<Response>) | null };
  const answers: Record<string, unknown> = {
    "/users/@me/guilds": [{ id: GUILD, name: "Harbour Lounge" }],
    [`/channels/${CHANNEL}`]: { id: CHANNEL, name: "general" },
  };
  const fetch = async (path: string) => {
    scene.asked.push(path);
    if (scene.fails) return scene.fails();
    return path in answers ? Response.json(answers[path]) : Response.json({ code: 50001 }, { status: 403 });
  };
  const names = createPlaceNames({ fetch, baseUrl: "", userAgent: "test", botToken }, () => scene.now);
  /** The names, and the requests that they took. */
  const read = async (servers: readonly string[], channels: readonly string[]) => {
    const found = await names(servers, channels);
    return [found, scene.asked.splice(0)];
  };
  return { scene, read };
}

describe("names", () => {
  it("take one request for all servers and one for each channel, and none again within an hour", async () => {
    const { scene, read } = discord();
    const found = { [GUILD]: "Harbour Lounge", [CHANNEL]: "general" };
    const requests = ["/users/@me/guilds", `/channels/${CHANNEL}`, `/channels/${HIDDEN}`];
    const ask = () => read([GUILD, OTHER], [CHANNEL, HIDDEN, CHANNEL]);
    expect(await ask()).toEqual([found, requests]);
    scene.now = HOUR_MS - 1;
    expect(await ask()).toEqual([found, []]);
    scene.now = HOUR_MS;
    expect(await ask()).toEqual([found, requests]);
  });

  it("are requested for 25 channels at a time, so that one event stays within the limits of Workers Free", async () => {
    const { read } = discord();
    const many = Array.from({ length: 40 }, (_, index) => String(100 + index));
    expect((await read([GUILD], many))[1]).toHaveLength(26);
    expect((await read([GUILD], many))[1]).toHaveLength(15);
  });

  it("are unknown without the bot's token, and no request is made", async () => {
    expect(await discord(null).read([GUILD], [CHANNEL])).toEqual([{}, []]);
  });

  it.each([
    ["limits", () => new Response("{}", { status: 429 })],
    ["does not know the token", () => new Response("{}", { status: 401 })],
    ["fails", () => new Response("", { status: 502 })],
    ["answers with a page", () => new Response("<html>")],
    ["can't be reached", () => Promise.reject(new TypeError("no network"))],
  ])("are not requested again for a minute if Discord %s, and then they are", async (_, fails) => {
    const { scene, read } = discord();
    scene.fails = fails;
    expect(await read([GUILD], [CHANNEL])).toEqual([{}, ["/users/@me/guilds", `/channels/${CHANNEL}`]]);
    scene.fails = null;
    scene.now = 59_999;
    expect(await read([GUILD], [CHANNEL])).toEqual([{}, []]);
    scene.now = 60_000;
    expect((await read([GUILD], [CHANNEL]))[0]).toEqual({ [GUILD]: "Harbour Lounge", [CHANNEL]: "general" });
  });

  it("keep no connection open for a refusal, because a Worker has only six", async () => {
    const { scene, read } = discord();
    const refusals: Response[] = [];
    scene.fails = () => {
      const refusal = Response.json({ code: 50001 }, { status: 403 });
      refusals.push(refusal);
      return refusal;
    };
    await read([GUILD], [CHANNEL, HIDDEN]);
    const open = refusals.filter(({ body, bodyUsed }) => body !== null && !bodyUsed);
    expect([refusals.length, open.length]).toEqual([3, 0]);
  });

  it("are unknown if Discord answers something else", async () => {
    const { scene, read } = discord();
    scene.fails = () => Response.json({ id: 5, name: ["x"] });
    expect((await read([GUILD], [CHANNEL]))[0]).toEqual({});
  });
});
