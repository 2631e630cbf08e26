// Which message is a question to us, by each way in which Discord shows a message.
import { describe, expect, it } from "vitest";
import type { AnswerTo } from "../../src/core/state/answer-to.ts";
import { isLate } from "../../src/gateway/forwarded-event.ts";
import type { GatewayMessage, QuotedMessage, RepliedTo } from "../../src/gateway/message.ts";
import { type QuestionRules, readQuestion } from "../../src/gateway/question.ts";
import { idAt } from "../../src/gateway/snowflake.ts";

const [BOT, APPLICATION, ROLE, MIRA] = ["900", "901", "910", "50"];
const MENTION = { mentions: [BOT], text: `<@${BOT}> why?` };
const CHANNEL = { kind: "channel", guildId: "700" } as const;
const THREAD = { kind: "thread", guildId: "700" } as const;
const DM = { kind: "dm" } as const;
const file = { id: "1", filename: "a.png", contentType: "image/png", size: 1, url: "u", proxyUrl: "p" };

const message = (more: Partial<GatewayMessage> = {}): GatewayMessage => ({
  id: "1000",
  channelId: "600",
  place: CHANNEL,
  kind: "message",
  author: { id: MIRA, name: "Mira", isPerson: true, roles: [] },
  isEphemeral: false,
  mentions: [],
  roleMentions: [],
  text: "why?",
  attachments: [],
  forwarded: null,
  repliedTo: null,
  ...more,
});
const quoted = (more: Partial<QuotedMessage> = {}): QuotedMessage => ({
  authorId: "51",
  applicationId: null,
  authorName: "Noor",
  text: "the sky",
  attachments: [],
  ...more,
});
const replyTo = (original: RepliedTo["message"], more: Partial<GatewayMessage> = {}) =>
  message({ kind: "reply", repliedTo: { messageId: "999", channelId: "600", message: original }, ...more });
const OURS = quoted({ authorId: BOT });
const rules = (more: Partial<QuestionRules> = {}): QuestionRules => ({
  self: { userId: BOT, applicationId: APPLICATION },
  answerTo: "mention_and_reply",
  isAskedThread: false,
  ownRoleId: ROLE,
  readsContent: false,
  ...more,
});

/** `by ask: text`, or the kind of the verdict. */
function verdict(one: GatewayMessage, more: Partial<QuestionRules> = {}): string {
  const found = readQuestion(one, rules(more));
  return found.kind === "question" ? `${found.by} ${found.ask}: ${found.text}` : found.kind;
}

describe("a question", () => {
  it.each<[string, GatewayMessage, string]>([
    ["a direct message", message({ place: DM }), "dm message: why?"],
    ["a mention", message(MENTION), "mention message: why?"],
    ["a mention at the end", message({ ...MENTION, text: `why? <@${BOT}>` }), "mention message: why?"],
    ["a mention of an older client", message({ ...MENTION, text: `<@!${BOT}>, why?` }), "mention message: why?"],
    [
      "a mention in a sentence, which keeps it",
      message({ ...MENTION, text: `ask <@${BOT}> why` }),
      `mention message: ask <@${BOT}> why`,
    ],
    ["a mention with a comma apart", message({ ...MENTION, text: `<@${BOT}> , why?` }), "mention message: why?"],
    [
      "a mention before words that begin with a sign of their own",
      message({ ...MENTION, text: `<@${BOT}> ::before or :wq?` }),
      "mention message: ::before or :wq?",
    ],
    ["a mention of our role", message({ roleMentions: [ROLE], text: `<@&${ROLE}> why?` }), "mention message: why?"],
    [
      "a mention with a file alone",
      message({ ...MENTION, text: `<@${BOT}>`, attachments: [file] }),
      "mention message: ",
    ],
    ["a reply to us without its ping", replyTo(OURS), "reply message: why?"],
    ["a reply to us with its ping", replyTo(OURS, { mentions: [BOT] }), "reply message: why?"],
    [
      "a reply to a command's answer",
      replyTo(quoted({ authorId: "77", applicationId: APPLICATION })),
      "reply message: why?",
    ],
    [
      "the first message of a forum's post, which has the post's id",
      message({ ...MENTION, place: THREAD, id: "600" }),
      "mention message: why?",
    ],
    ["a voice note in a direct message", message({ place: DM, text: "", attachments: [file] }), "dm message: "],
    ["a forward in a direct message", message({ place: DM, text: "", forwarded: quoted() }), "dm message: "],
  ])("is %s", (_case, one, wanted) => {
    expect(verdict(one)).toBe(wanted);
  });

  it.each<[string, GatewayMessage]>([
    ["ordinary talk", message()],
    ["a mention of someone else", message({ mentions: ["51"], text: "<@51> why?" })],
    ["@everyone", message({ text: "@everyone why?" })],
    ["a mention of another role", message({ roleMentions: ["911"] })],
    ["a reply to someone else", replyTo(quoted())],
    ["a reply to a deleted message", replyTo("deleted")],
    ["a reply to a message that Discord did not look up", replyTo("unread")],
    ["a bot", message({ ...MENTION, author: { id: "60", name: "Bot", isPerson: false, roles: null } })],
    ["ourselves", message({ place: DM, author: { id: BOT, name: "Parley", isPerson: true, roles: null } })],
    ["an ephemeral answer", message({ ...MENTION, isEphemeral: true })],
    ["a system message", message({ ...MENTION, kind: "other" })],
    ["a message that is in no server and no direct message", message({ ...MENTION, place: { kind: "unknown" } })],
    ["a thread in which no one asked us", message({ place: THREAD })],
  ])("is not %s", (_case, one) => {
    expect(verdict(one)).toBe("none");
  });

  it("is undecided while our role in the server is unknown, but only if nothing else decides", () => {
    const ping = message({ roleMentions: ["911"] });
    expect(verdict(ping, { ownRoleId: undefined })).toBe("unsure");
    expect(verdict(ping, { ownRoleId: null })).toBe("none");
    expect(verdict(message({ ...MENTION, roleMentions: ["911"] }), { ownRoleId: undefined })).toBe(
      "mention message: why?",
    );
  });
});

describe("the setting", () => {
  const cases: Record<string, GatewayMessage> = {
    mention: message(MENTION),
    "reply with a ping": replyTo(OURS, { mentions: [BOT] }),
    "reply with a ping to what is deleted": replyTo("deleted", { mentions: [BOT] }),
    "reply with a ping to what was not looked up": replyTo("unread", { mentions: [BOT] }),
    "reply with a ping and a mention": replyTo(OURS, MENTION),
    "reply without a ping": replyTo(OURS),
    "reply to another with a mention": replyTo(quoted(), MENTION),
    "talk in a thread": message({ place: THREAD }),
    "talk in a channel": message(),
    "direct message": message({ place: DM }),
  };
  it.each<[AnswerTo, string[]]>([
    ["mention", ["mention", "reply with a ping and a mention", "reply to another with a mention", "direct message"]],
    ["mention_and_reply", Object.keys(cases).filter((name) => !name.startsWith("talk"))],
    ["thread", Object.keys(cases).filter((name) => name !== "talk in a channel")],
    ["off", []],
  ])("%s answers these", (answerTo, wanted) => {
    const answered = Object.entries(cases).filter(
      ([, one]) => verdict(one, { answerTo, isAskedThread: true }) !== "none",
    );
    expect(answered.map(([name]) => name)).toEqual(wanted);
  });

  it("thread answers only in a thread in which we were asked", () => {
    expect(verdict(message({ place: THREAD }), { answerTo: "thread" })).toBe("none");
  });
});

describe("a message without words", () => {
  const bare = { mentions: [BOT], text: ` <@${BOT}> ` };
  const asides = ["[sticker: Wave]"];
  it.each<[string, GatewayMessage, string]>([
    ["asks about the message that it replies to", replyTo(quoted(), bare), "mention replied_to: "],
    ["asks about its files", replyTo(quoted({ text: "", attachments: [file] }), bare), "mention replied_to: "],
    ["asks about it even if Discord did not look it up", replyTo("unread", bare), "mention replied_to: "],
    ["gets help if that is deleted", replyTo("deleted", bare), "mention help: "],
    ["gets help if that has nothing to read", replyTo(quoted({ text: " " }), bare), "mention help: "],
    ["gets help if that is ours", replyTo(OURS, bare), "mention help: "],
    ["gets help if it replies to nothing", message(bare), "mention help: "],
    ["gets help by a mention of our role", message({ roleMentions: [ROLE], text: `<@&${ROLE}>` }), "mention help: "],
    ["gets help for a comma alone", message({ ...bare, text: `<@${BOT}> ,` }), "mention help: "],
    ["gets help in a direct message", message({ place: DM, text: "" }), "dm help: "],
    ["asks about its sticker", message({ ...bare, asides }), "mention message: "],
    ["asks about its sticker in a direct message", message({ place: DM, text: "", asides }), "dm message: "],
    [
      "asks rather about the message that it replies to",
      replyTo(quoted(), { ...bare, asides }),
      "mention replied_to: ",
    ],
    ["asks about its sticker if that is ours", replyTo(OURS, { ...bare, asides }), "mention message: "],
    [
      "gets the hint as a mention of the role, whose text Discord hides",
      message({ roleMentions: [ROLE], text: "" }),
      "mention hint: ",
    ],
    ["gets the hint as a reply whose text Discord hides", replyTo(OURS, { text: "" }), "reply hint: "],
    ["is a sticker as a reply with its ping on", replyTo(OURS, { text: "", mentions: [BOT], asides }), "none"],
  ])("%s", (_case, one, wanted) => {
    expect(verdict(one)).toBe(wanted);
  });

  it("is a sticker if we read every text", () => {
    expect(verdict(replyTo(OURS, { text: "" }), { readsContent: true })).toBe("none");
    expect(verdict(message({ place: THREAD, text: "" }), { answerTo: "thread", isAskedThread: true })).toBe("none");
  });
});

it.each([
  ["one that was asked just now", 9999, false],
  ["one of ten seconds ago", 10_000, true],
  ["one of nearly an hour ago", 3_599_999, true],
  ["one whose id is an hour old, longer than any gap", 3_600_000, false],
  ["one whose id tells of the future", -60_000, false],
])("whether it is late: %s", (_which, ageMs, expected) => {
  const now = Date.UTC(2030, 0, 1);
  expect(isLate(idAt(now - ageMs), now)).toBe(expected);
});
