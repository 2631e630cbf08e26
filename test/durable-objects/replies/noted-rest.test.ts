// Each request of a reply is recorded once it has ended: with Discord's status, its time, and how long a rate limit delayed it.
import { expect, it } from "vitest";
import { notedRest } from "../../../durable-objects/replies/noted-rest.ts";
import type { InspectedRequest } from "../../../src/core/state/inspected.ts";
import type { DiscordRest, RestResult } from "../../../src/discord/rest/rest.ts";

const CHANNEL = { channelId: "2" };
const sent: RestResult = { ok: true, status: 200, message: { id: "5", content: "", ephemeral: false } };
const results: Record<keyof DiscordRest, RestResult> = {
  create: sent,
  edit: { ok: false, kind: "refused", status: 429, code: 0, limit: null, text: "" },
  remove: { ...sent, status: 204 },
  read: { ok: false, kind: "unreachable", text: "reset" },
};

it("records method, status and time, and passes every answer on", async () => {
  let now = 1000;
  const answer = async (result: RestResult) => {
    now += 7;
    return result;
  };
  const rest: DiscordRest = {
    create: () => answer(results.create),
    edit: () => answer(results.edit),
    remove: () => answer(results.remove),
    read: () => answer(results.read),
  };
  const notes: InspectedRequest[] = [];
  const limiter = { readyAt: () => 1000 };
  const noted = notedRest(
    { rest, rateLimiter: limiter },
    () => now,
    (one) => void notes.push(one),
  ).rest;
  expect(await noted.create(CHANNEL, {})).toBe(results.create);
  expect(await noted.edit(CHANNEL, "5", {})).toBe(results.edit);
  expect(await noted.remove(CHANNEL, "5")).toBe(results.remove);
  expect(await noted.read(CHANNEL, "5")).toBe(results.read);
  expect(notes).toEqual([
    { at: 1000, ms: 7, method: "create", status: 200, waitMs: 0 },
    { at: 1007, ms: 7, method: "edit", status: 429, waitMs: 0 },
    { at: 1014, ms: 7, method: "delete", status: 204, waitMs: 0 },
    { at: 1021, ms: 7, method: "read", status: null, waitMs: 0 },
  ]);
});

it("the wait for a rate limit counts from the first check to the request, for that request only", async () => {
  let now = 1000;
  let readyAt = 4000;
  const notes: InspectedRequest[] = [];
  const rest: DiscordRest = {
    create: async () => sent,
    edit: async () => sent,
    remove: async () => sent,
    read: async () => sent,
  };
  const noted = notedRest(
    { rest, rateLimiter: { readyAt: () => readyAt } },
    () => now,
    (one) => void notes.push(one),
  );
  expect(noted.rateLimiter.readyAt(CHANNEL, "edit")).toBe(4000);
  now = 2500;
  noted.rateLimiter.readyAt(CHANNEL, "edit");
  now = 4000;
  readyAt = 0;
  noted.rateLimiter.readyAt(CHANNEL, "edit");
  await noted.rest.edit(CHANNEL, "5", {});
  await noted.rest.edit(CHANNEL, "5", {});
  expect(notes.map(({ waitMs }) => waitMs)).toEqual([3000, 0]);
});

it("a rate limit that ended long before the next request did not delay it", async () => {
  let now = 1000;
  let readyAt = 4000;
  const notes: InspectedRequest[] = [];
  const send = async () => sent;
  const noted = notedRest(
    { rest: { create: send, edit: send, remove: send, read: send }, rateLimiter: { readyAt: () => readyAt } },
    () => now,
    (one) => void notes.push(one),
  );
  const look = (at: number) => {
    now = at;
    noted.rateLimiter.readyAt(CHANNEL, "edit");
  };
  look(1000);
  look(60_000);
  await noted.rest.edit(CHANNEL, "5", {});
  readyAt = 62_000;
  look(61_000);
  readyAt = 93_000;
  look(90_000);
  look(93_000);
  await noted.rest.edit(CHANNEL, "5", {});
  // A request that is sent a moment after the limit ended was delayed only until then.
  readyAt = 100_000;
  look(95_000);
  look(100_250);
  await noted.rest.edit(CHANNEL, "5", {});
  // A limit that ends now delays nothing.
  readyAt = 103_000;
  look(101_000);
  readyAt = 103_500;
  look(103_500);
  await noted.rest.edit(CHANNEL, "5", {});
  expect(notes.map(({ waitMs }) => waitMs)).toEqual([0, 3000, 5000, 2000]);
});
