// What Discord's answers say about a server or a channel: only Discord's own words count as proof that it is gone or closed to the bot.
import { expect, it } from "vitest";
import { askPresence } from "../../../src/discord/rest/presence.ts";

const json = (status: number, body: object, headers = {}) => Response.json(body, { status, headers });

it.each<[string, Response | Error, string]>([
  ["a server", json(200, { id: "7", name: "Here" }), "here"],
  ["a channel of a server", json(200, { id: "2", type: 0, guild_id: "7" }), "here"],
  ["a thread", json(200, { id: "2", type: 11, guild_id: "7" }), "here"],
  ["a direct message", json(200, { id: "2", type: 1 }), "private"],
  ["a group", json(200, { id: "2", type: 3 }), "private"],
  ["no access", json(403, { code: 50_001, message: "Missing Access" }), "closed"],
  ["an unknown channel", json(404, { code: 10_003, message: "Unknown Channel" }), "missing"],
  ["an unknown server", json(404, { code: 10_004, message: "Unknown Guild" }), "missing"],
  ["another 403", json(403, { code: 50_013, message: "Missing Permissions" }), "unknown"],
  ["a 403 of a proxy", new Response("<html>", { status: 403 }), "unknown"],
  ["a 404 of a proxy", new Response("<html>", { status: 404 }), "unknown"],
  ["an unknown path", json(404, { code: 0, message: "404: Not Found" }), "unknown"],
  ["a reset token", json(401, { code: 0, message: "401: Unauthorized" }), "unknown"],
  ["a rate limit", json(429, { retry_after: 1, message: "You are being rate limited." }), "unknown"],
  ["a block", json(403, { code: 40_333, message: "internal network error" }), "unknown"],
  ["an outage", new Response("upstream", { status: 503 }), "unknown"],
  ["an answer that is not an object", json(200, []), "unknown"],
  ["an answer that is cut off", new Response('{"id":', { status: 200 }), "unknown"],
  ["no connection", new Error("no network"), "unknown"],
])("%s", async (_, answer, found) => {
  const asked: unknown[] = [];
  const fetch = async (url: string, { method, headers }: RequestInit) => {
    asked.push([url, method, new Headers(headers).get("authorization")]);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const ports = { fetch, baseUrl: "https://discord.example", userAgent: "us", botToken: "t" };
  expect(await askPresence(ports, "/guilds/7")).toBe(found);
  expect(asked).toEqual([["https://discord.example/guilds/7", "GET", "Bot t"]]);
});
