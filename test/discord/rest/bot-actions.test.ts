// What the bot asks of Discord where the local Discord has no such place or message.
import { expect, it } from "vitest";
import { createChannelActions } from "../../../src/discord/rest/bot-actions.ts";
import { unlimited } from "../../tools/unlimited.ts";

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
const { signal } = new AbortController();

const actionsOver = (fetch: Fetch) =>
  createChannelActions(
    {
      ...unlimited(),
      fetch,
      baseUrl: "http://discord.test",
      userAgent: "DiscordBot (https://example.org, 1.0)",
      botToken: "token",
    },
    "2",
    "1",
  );

it.each([
  ["a channel for announcements", Response.json({ type: 5 }), 10],
  ["any other channel", Response.json({ type: 0 }), 11],
  ["a channel that can't be read", Response.json({}, { status: 403 }), 11],
])("a thread that starts on its own in %s is of the kind that Discord has there", async (_, place, type) => {
  const posted: unknown[] = [];
  const actions = actionsOver(async (_url, { method, body } = {}) => {
    if (method === "GET") return place;
    posted.push(JSON.parse(String(body)));
    return Response.json({ id: "9" }, { status: 201 });
  });
  const thread = { name: "News", messageId: null, archiveAfterMinutes: 60 };
  expect(await actions.createThread(thread, "why", signal)).toEqual({ ok: true, value: "9" });
  expect(posted).toEqual([{ name: "News", auto_archive_duration: 60, type }]);
});

it.each([
  ["a reply", { type: 19 }, "7"],
  ["a forward, which names a message of another channel", { type: 0, message_reference: { type: 1 } }, null],
  ["Discord's line about a pinned message", { type: 6 }, null],
  ["a news item of another server", { type: 0, flags: 1 << 1 }, null],
])("of the messages that name another one only a reply replies to it: %s", async (_, more, repliesTo) => {
  const reference = { ...("message_reference" in more && more.message_reference), message_id: "7", channel_id: "3" };
  const author = { id: "4", username: "mira" };
  const said = { id: "8", content: "see", timestamp: "2026-11-22T10:00:00Z", author, ...more };
  const actions = actionsOver(async () => Response.json([{ ...said, message_reference: reference }]));
  expect(await actions.recentMessages(1, null, signal)).toMatchObject({ ok: true, value: [{ repliesTo }] });
});
