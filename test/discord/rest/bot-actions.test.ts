// What the bot asks of Discord where the local Discord has no such place.
import { expect, it } from "vitest";
import { createChannelActions } from "../../../src/discord/rest/bot-actions.ts";
import { unlimited } from "../../tools/unlimited.ts";

it.each([
  ["a channel for announcements", Response.json({ type: 5 }), 10],
  ["any other channel", Response.json({ type: 0 }), 11],
  ["a channel that can't be read", Response.json({}, { status: 403 }), 11],
])("a thread that starts on its own in %s is of the kind that Discord has there", async (_, place, type) => {
  const posted: unknown[] = [];
  const actions = createChannelActions(
    {
      ...unlimited(),
      async fetch(_url, { method, body } = {}) {
        if (method === "GET") return place;
        posted.push(JSON.parse(String(body)));
        return Response.json({ id: "9" }, { status: 201 });
      },
      baseUrl: "http://discord.test",
      userAgent: "DiscordBot (https://example.org, 1.0)",
      botToken: "token",
    },
    "2",
    "1",
  );
  const thread = { name: "News", messageId: null, archiveAfterMinutes: 60 };
  expect(await actions.createThread(thread, "why", new AbortController().signal)).toEqual({ ok: true, value: "9" });
  expect(posted).toEqual([{ name: "News", auto_archive_duration: 60, type }]);
});
