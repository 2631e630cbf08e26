// What a question by message gives its turn: whether others wrote a part of it, and which addresses the turn may read.
import { expect, it } from "vitest";
import { buildWords } from "../../../durable-objects/hearing/question-words.ts";
import type { GatewayMessage, QuotedMessage } from "../../../src/gateway/message.ts";

const SELF = { userId: "9", applicationId: "8" };
const FILE = { id: "1", filename: "answer.md", contentType: "text/markdown", size: 9, url: "u", proxyUrl: "u" };
const MADE_UP = "[Cakes](https://cakes.example/), `https://evil.example/?q=1` or evil.example/?q=2";
const asked: GatewayMessage = {
  id: "1",
  channelId: "2",
  place: { kind: "channel", guildId: "3" },
  kind: "reply",
  author: { id: "4", name: "Mira", isPerson: true, roles: [] },
  isEphemeral: false,
  mentions: [],
  roleMentions: [],
  text: "and now?",
  attachments: [],
  forwarded: null,
  repliedTo: null,
};
const quoted = (more: Partial<QuotedMessage>): QuotedMessage => ({
  authorId: SELF.userId,
  applicationId: null,
  authorName: "Parley",
  text: "I read it.",
  attachments: [],
  ...more,
});
const read = (message: Partial<GatewayMessage>, chain: readonly QuotedMessage[]) =>
  buildWords(
    { ...asked, ...message },
    { kind: "question", by: "reply", ask: "message", text: "and now?" },
    chain,
    [],
    SELF,
  );

it("a file of the bot's own answer may contain what a stranger wanted its model to write", () => {
  expect(read({}, [quoted({ attachments: [FILE] })])).toMatchObject({ attachments: [FILE], taint: "full" });
  expect(read({ attachments: [FILE] }, [quoted({})])).not.toHaveProperty("taint");
  const drawn = { ...FILE, filename: "drawing.png", contentType: "image/png" };
  expect(read({}, [quoted({ attachments: [drawn] })])).not.toHaveProperty("taint");
});

it.each([
  ["the bot's own message", {}, [quoted({ text: MADE_UP })]],
  ["a message that forwards it", {}, [quoted({ authorId: "5", hasOthers: true, text: MADE_UP })]],
  ["a forwarded message, which may be the bot's", { forwarded: quoted({ authorId: null, text: MADE_UP }) }, []],
])("of %s only links may be read", (_what, message, chain) => {
  const named = read(message, chain)?.named ?? [];
  expect(named).toContain("https://cakes.example/");
  expect(named.filter((address) => address.includes("evil"))).toEqual([]);
});
