// What the bot asks of Discord in cases where the local Discord has no matching place or message.
import { expect, it } from "vitest";
import { createChannelActions } from "../../../src/discord/rest/bot-actions.ts";
import { unlimited } from "../../tools/unlimited.ts";

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
const { signal } = new AbortController();

const actionsOver = (fetch: Fetch, isLeftOut?: (userId: string) => boolean) =>
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
    isLeftOut,
  );

it.each([
  ["a channel for announcements", Response.json({ type: 5 }), 10],
  ["any other channel", Response.json({ type: 0 }), 11],
  ["a channel that can't be read", Response.json({}, { status: 403 }), 11],
])("a thread that starts by itself in %s is of the kind that Discord has there", async (_, place, type) => {
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
])("only a reply counts as replying to the message that it names: %s", async (_, more, repliesTo) => {
  const reference = { ...("message_reference" in more && more.message_reference), message_id: "7", channel_id: "3" };
  const author = { id: "4", username: "mira" };
  const said = { id: "8", content: "see", timestamp: "2026-11-22T10:00:00Z", author, ...more };
  const actions = actionsOver(async () => Response.json([{ ...said, message_reference: reference }]));
  expect(await actions.recentMessages(1, null, signal)).toMatchObject({ ok: true, value: [{ repliesTo }] });
});

const author = { id: "4", username: "mira" };
const bare = { type: 21, content: "", timestamp: "2026-11-22T11:00:00Z", author };
const asked = {
  ...{ id: "7", type: 0, content: "Which pier?", timestamp: "2026-11-22T10:00:00Z" },
  author: { id: "5", username: "noor" },
  attachments: [{ filename: "pier.png", content_type: "image/png", url: "https://cdn.discordapp.com/pier.png" }],
};

it.each<[string, object, object[]]>([
  [
    "that message, under the line's own id",
    { referenced_message: asked },
    [{ id: "8", author: { id: "5", name: "noor" }, text: "Which pier?", files: ["pier.png"], isHidden: false }],
  ],
  [
    "hidden if Discord hides it",
    { referenced_message: { ...asked, content: "", attachments: [] } },
    [{ isHidden: true }],
  ],
  [
    "nobody's words once it is deleted",
    { referenced_message: null },
    [{ id: "8", text: "(Discord's own line)", isHidden: false }],
  ],
  ["nothing by a person who is left out", { referenced_message: { ...asked, author: { id: "6", username: "x" } } }, []],
])("Discord's first line in a thread made from a message reads as %s", async (_, more, value) => {
  const actions = actionsOver(
    async () => Response.json([{ ...bare, id: "8", ...more }]),
    (id) => id === "6",
  );
  expect(await actions.recentMessages(5, null, signal)).toMatchObject({ ok: true, value });
});

it.each([
  ["a thread that was started", 18, "Harbour walk", "(Discord's own line)\nHarbour walk"],
  ["a person who joined", 7, "", "(Discord's own line)"],
  ["an answer to a command", 20, "Noon.", "Noon."],
])("what Discord itself says counts as no person's words: %s", async (_, type, content, text) => {
  const actions = actionsOver(async () => Response.json([{ ...bare, id: "8", type, content }]));
  expect(await actions.recentMessages(5, null, signal)).toMatchObject({ ok: true, value: [{ text }] });
});

it("reads the fields of an embed, where Discord says how a poll ended, and where bots say most things", async () => {
  const fields = [
    { name: "poll_question_text", value: "Which pier?" },
    { name: "victor_answer_votes", value: "3" },
  ];
  const end = { ...bare, id: "8", type: 46, embeds: [{ type: "poll_result", fields }] };
  const told = {
    ...bare,
    id: "9",
    type: 0,
    embeds: [{ title: "Build 7", description: "passed", fields: [{ name: "By" }] }],
  };
  const actions = actionsOver(async () => Response.json([told, end]));
  expect(await actions.recentMessages(5, null, signal)).toMatchObject({
    ok: true,
    value: [
      { text: "(Discord's own line)\npoll_question_text: Which pier?\nvictor_answer_votes: 3" },
      { text: "Build 7: passed\nBy" },
    ],
  });
});

it("reads files under the names that their senders gave them", async () => {
  const picture = {
    filename: "c953b519a8c28c42.png",
    content_type: "image/png",
    url: "https://cdn.discordapp.com/c.png",
  };
  const attachments = [
    { ...picture, title: "план" },
    { filename: "plan_1.pdf", title: null },
  ];
  const actions = actionsOver(async () => Response.json([{ ...bare, id: "8", type: 0, attachments }]));
  expect(await actions.recentMessages(5, null, signal)).toMatchObject({
    value: [{ files: ["план.png", "plan_1.pdf"], pictures: [{ filename: "план.png", url: picture.url }] }],
  });
});
