// The message box without a browser: mentions while they are typed and as they are sent, commands that are typed out, replies,
// and who is typing.
import { describe, expect, it } from "vitest";
import { listFitting, listUsable, type Registered } from "../../../src/playground/page/commands.ts";
import {
  finishMention,
  fromWire,
  isFinished,
  mentionAt,
  toWire,
  whoFits,
} from "../../../src/playground/page/mentions.ts";
import {
  canReplyTo,
  keepReply,
  replyFields,
  replyTo,
  snippet,
  switchPing,
} from "../../../src/playground/page/reply.ts";
import { askIn, readBox, whyUnanswered } from "../../../src/playground/page/sending.ts";
import type { LocalMessage } from "../../../src/playground/page/shapes.ts";
import { speakRelative, speakStamp } from "../../../src/playground/page/spoken-time.ts";
import { nameTyping, typingSignal } from "../../../src/playground/page/typing.ts";

const KNOWN = [
  { id: "1", name: "Parley" },
  { id: "2", name: "Ann" },
  { id: "3", name: "Anna" },
  { id: "4", name: "Mr. Joe" },
];
const BOT = { id: "1", name: "Parley", listens: true };
const CHANNEL = { id: "c", name: "general", type: 0, serverId: "s" };
const DIRECT = { id: "d", name: "Parley", type: 1 };
const GROUP = { id: "g", name: "plans", type: 3 };

const message = (fields: Partial<LocalMessage> = {}): LocalMessage => ({
  id: "m",
  channelId: "c",
  author: { id: "2", name: "Ann", bot: false },
  content: "hello",
  ephemeral: false,
  loading: false,
  components: [],
  attachments: [],
  createdAt: 0,
  ...fields,
});

describe("a mention in the box", () => {
  it.each([
    ["@", { start: 0, wanted: "" }],
    ["hi @pa", { start: 3, wanted: "pa" }],
    ["line\n@An", { start: 5, wanted: "An" }],
    ["(@x", { start: 1, wanted: "x" }],
    ["me@example", null],
    ["@Parley what", null],
    ["", null],
  ])("is being typed, or not, at the end of %j", (text, typed) => {
    expect(mentionAt(text, text.length)).toEqual(typed);
  });

  it("offers first the people whose name begins with it, then those whose name contains it", () => {
    const names = (wanted: string) => whoFits(wanted, KNOWN).map(({ name }) => name);
    expect([names("AN"), names("le"), names("zz"), names("")]).toEqual([
      ["Ann", "Anna"],
      ["Parley"],
      [],
      ["Parley", "Ann", "Anna", "Mr. Joe"],
    ]);
  });

  it("needs no choice once it is a complete name that no other name begins with", () => {
    const isDone = (wanted: string) => isFinished(wanted, whoFits(wanted, KNOWN));
    expect([isDone("parley"), isDone("parle"), isDone("Ann"), isDone("Anna")]).toEqual([true, false, false, true]);
  });

  it("is completed in place, with the caret after it", () => {
    const text = "hey @pa, you";
    const typed = mentionAt(text, 7);
    expect(typed && finishMention(text, typed, "Parley")).toEqual({ text: "hey @Parley , you", caret: 12 });
  });

  it.each([
    ["@Parley hi", "<@1> hi"],
    ["@parley: HI @ANNA and @Ann!", "<@1>: HI <@3> and <@2>!"],
    ["@Mr. Joe?", "<@4>?"],
    ["me@parley.example and @Parleys", "me@parley.example and @Parleys"],
    ["`@Parley` ```\n@Ann\n``` @Ann", "`@Parley` ```\n@Ann\n``` <@2>"],
    ["<@1> @everyone", "<@1> @everyone"],
  ])("is sent as Discord writes it: %j", (text, wire) => {
    expect(toWire(text, KNOWN)).toBe(wire);
  });

  it("becomes a name again when its message is edited", () => {
    expect(fromWire("<@1> and <@!3> and <@99>", KNOWN)).toBe("@Parley and @Anna and <@99>");
  });
});

describe("what is in the box", () => {
  const text = (name: string, required: boolean) => ({ type: 3, name, description: "", required });
  const registered: Registered[] = [
    {
      name: "chat",
      options: [
        text("message", true),
        { type: 11, name: "file", description: "" },
        { type: 5, name: "private", description: "" },
        { type: 4, name: "hours", description: "" },
      ],
    },
    {
      name: "config",
      options: [{ type: 1, name: "set", description: "", options: [text("key", true), text("value", true)] }],
    },
    { name: "help" },
  ];
  const read = (words: string) => {
    const sending = readBox(words, listUsable(registered), KNOWN);
    return sending.kind === "message" ? sending.content : [sending.command.path, sending.options];
  };

  it.each([
    ["/chat  what is @Ann?\nwell", ["chat", { message: "what is @Ann?\nwell" }]],
    ["/chat", ["chat", {}]],
    ["/config set key", ["config set", { key: "key" }]],
    ["/config set key:model value: a b  c", ["config set", { key: "model", value: "a b  c" }]],
    ["/config set value:x: y key:model", ["config set", { key: "model", value: "x: y" }]],
    ["/config set key:model", ["config set", { key: "model" }]],
    ["/config set please key:model value:x", ["config set", { key: "please key:model value:x" }]],
    ["/config", "/config"],
    ["/chat what about file:x", ["chat", { message: "what about file:x" }]],
    ["/chat message:hi private:TRUE hours:3", ["chat", { message: "hi", private: true, hours: 3 }]],
    ["/chat message:hi hours:soon", ["chat", { message: "hi" }]],
    ["/chat message:", ["chat", {}]],
    ["/help", ["help", {}]],
    ["/help me", "/help me"],
    ["/unknown x", "/unknown x"],
    ["hi @Parley", "hi <@1>"],
  ])("%j is a command, even if a required option is missing, or a message", (words, sending) => {
    expect(read(words)).toEqual(sending);
  });

  it.each([
    ["", ["chat", "config set", "help"]],
    ["c", ["chat", "config set"]],
    ["config s", ["config set"]],
    // A person who looks for a command may know only its second word.
    ["Set ", ["config set"]],
    ["et", []],
    ["chat hello", []],
  ])("%j brings up the commands that begin with it, then those with such a word", (typed, paths) => {
    expect(listFitting(listUsable(registered), typed).map(({ path }) => path)).toEqual(paths);
  });

  it("of a suggestion is a mention, a direct message, or /chat if the bot hears no messages", () => {
    expect([CHANNEL, DIRECT, GROUP].map((channel) => askIn(channel, BOT, "roll"))).toEqual([
      "@Parley roll",
      "roll",
      "/chat roll",
    ]);
    expect(askIn(CHANNEL, { ...BOT, listens: false }, "roll")).toBe("/chat roll");
  });

  it("is answered if it mentions the bot, replies to it, or is sent to it alone, provided that the bot hears messages", () => {
    const fromBot = message({ author: { id: "1", name: "Parley", bot: true } });
    const THREAD = { ...CHANNEL, type: 11 };
    for (const [listens, why] of [
      [true, null],
      [false, "deaf"],
    ] as const) {
      const bot = { ...BOT, listens };
      expect(whyUnanswered("<@1> hi", CHANNEL, bot, undefined)).toBe(why);
      expect(whyUnanswered("hi", CHANNEL, bot, fromBot)).toBe(why);
      expect(whyUnanswered("hi", DIRECT, bot, undefined)).toBe(why);
      expect(whyUnanswered("hi <@2>", CHANNEL, bot, message())).toBe("aside");
      expect(whyUnanswered("hi", THREAD, bot, undefined)).toBe("aside");
      expect(whyUnanswered("<@1> hi", GROUP, bot, undefined)).toBe(null);
    }
  });
});

describe("a reply that is being written", () => {
  it("notifies the author, unless that is switched off or the author is the same person", () => {
    const reply = replyTo(message(), "3", KNOWN);
    expect(replyFields(reply)).toEqual({ replyTo: "m", ping: true });
    expect(replyFields(switchPing(reply))).toEqual({ replyTo: "m", ping: false });
    expect(replyFields(switchPing(switchPing(reply)))).toEqual({ replyTo: "m", ping: true });
    const own = replyTo(message(), "2", KNOWN);
    expect([own.ping, switchPing(own).ping, replyFields(own).ping, replyFields(null)]).toEqual([null, null, false, {}]);
  });

  it("ends when its message is deleted, and continues while others change", () => {
    const reply = replyTo(message(), "3", KNOWN);
    expect(keepReply(reply, [message({ content: "changed" })])).toBe(reply);
    expect([keepReply(reply, []), keepReply(null, [message()])]).toEqual([null, null]);
  });

  it("can't be to a private answer, to Discord's own lines, or to an answer that has no text yet", () => {
    const none = [{ ephemeral: true }, { failed: "no" }, { deed: "pinned a message." }, { loading: true }];
    expect(none.map((fields) => canReplyTo(message(fields)))).toEqual([false, false, false, false]);
    expect(canReplyTo(message())).toBe(true);
  });

  it("shows its message on one line without marks, cut if it is long", () => {
    const content = "# Title\n**bold** `code` for <@2>\n```ts\nlet x\n```\n-# small";
    expect(snippet({ content }, KNOWN)).toBe("Title bold code for @Ann let x small");
    expect(snippet({ content: "> what \\*is\\* \\`this\\` \\@x\nA **test**" }, KNOWN)).toBe(
      "what *is* `this` @x A test",
    );
    expect(snippet({ content: "it was ||the **cook**|| of [the ship](https://example.org/ship)" }, KNOWN)).toBe(
      "it was ▇▇▇ of the ship",
    );
    const places = [...KNOWN, { id: "30", name: "late night ideas" }];
    expect(snippet({ content: "<@9>, <@&9>: the thread is open: <#30>, not <#31>" }, places)).toBe(
      "@unknown, @unknown: the thread is open: #late night ideas, not #unknown",
    );
    const seconds = Math.floor(Date.now() / 1000) + 7_300;
    expect(snippet({ content: `I'll remind you <t:${seconds}:R>.` }, KNOWN)).toBe("I'll remind you in 2 hours.");
    expect(snippet({ content: `At <t:${seconds}:F>` }, KNOWN)).toBe(`At ${speakStamp(seconds, "F")}`);
    expect(snippet({ content: "😀".repeat(500) }, KNOWN)).toBe(`${"😀".repeat(160)}…`);
  });
});

describe("who is typing", () => {
  it.each([
    [[], ""],
    [["Parley"], "Parley is typing…"],
    [["Parley", "Ann"], "Parley and Ann are typing…"],
    [["Parley", "Ann", "Joe"], "Parley, Ann and Joe are typing…"],
    [["a", "b", "c", "d"], "Several people are typing…"],
  ])("%j is a sentence", (names, sentence) => {
    expect(nameTyping(names)).toBe(sentence);
  });

  it("is reported at the first letter, again after eight seconds, and never for a command", () => {
    let [now, told] = [0, 0];
    const signal = typingSignal(
      () => now,
      () => (told += 1),
    );
    const type = (text: string, at: number) => {
      now = at;
      signal.typed(text);
      return told;
    };
    expect([type("", 0), type("/chat", 0), type("h", 0), type("he", 7_999), type("hel", 8_000)]).toEqual([
      0, 0, 1, 1, 2,
    ]);
    signal.ended();
    expect(type("n", 8_001)).toBe(3);
  });
});

it.each([
  [90, "in 2 minutes"],
  [-30, "30 seconds ago"],
  [0, "now"],
  [86_400, "tomorrow"],
  [-7_200, "2 hours ago"],
])("a time %s s away is shown in the largest unit that fits", (away, words) => {
  expect(speakRelative(1_000_000 + away, 1_000_000)).toBe(words);
});
