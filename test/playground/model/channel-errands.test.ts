// Errands in the channel: what people can say to the local model to try each tool.
import { describe, expect, it } from "vitest";
import { dueReminder } from "../../../src/core/state/reminder-turn.ts";
import { ask, type Heard, type Message, quickModel, tool } from "./conversation.ts";

const OFFERED = [
  ["remember", "text"],
  ["recall", "query"],
  ["forget", "number"],
  ["update_short_term_memory", "notes"],
  ["set_reminder", "text"],
  ["list_reminders", "none"],
  ["cancel_reminder", "number"],
  ["create_poll", "question"],
  ["create_thread", "name"],
  ["pin_message", "message"],
  ["add_reaction", "message"],
  ["read_recent_messages", "limit"],
  ["reveal_message_metadata", "none"],
  ["view_image", "image"],
].map(([name = "", property = ""]) => tool(name, property));
const named = (heard: Heard) => heard.calls.map((call) => `${call.name} ${call.arguments}`);
const said = (words: string) => ask(quickModel().model, words, OFFERED);

describe("an errand in the channel", () => {
  it.each([
    ["remember that I drink tea", 'remember {"text":"I drink tea"}'],
    ["do you remember what Theo drinks?", 'recall {"query":"what Theo drinks"}'],
    ["forget number 3", 'forget {"number":3}'],
    ["note: Theo wants tea", 'update_short_term_memory {"notes":"Theo wants tea"}'],
    ["remind me in 20 minutes to drink tea", 'set_reminder {"text":"drink tea","when":"in 20 minutes"}'],
    ["remind me to drink tea tomorrow at 9", 'set_reminder {"text":"drink tea","when":"tomorrow at 9"}'],
    ["what reminders are there?", "list_reminders {}"],
    ["cancel reminder 2", 'cancel_reminder {"number":2}'],
    [
      "poll: Tea or coffee? Tea, coffee or water",
      'create_poll {"question":"Tea or coffee?","answers":["Tea","coffee","water"]}',
    ],
    ["open a thread called Cake.", 'create_thread {"name":"Cake"}'],
    ["what was said here?", 'read_recent_messages {"limit":10}'],
    ["when did I say that?", "reveal_message_metadata {}"],
    ["look at the picture", 'view_image {"image":"latest"}'],
    ["look at the avatar of <@1180000000000000021>", 'view_image {"user":"<@1180000000000000021>"}'],
    ["react with 👍", 'read_recent_messages {"limit":10}'],
    ["pin the last message", 'read_recent_messages {"limit":10}'],
  ])("becomes a tool call: %s", async (words, call) => {
    expect(named(await said(words))).toEqual([call]);
  });

  it("that takes a note is answered before the tool runs", async () => {
    expect((await said("make a note: tea")).text).toBe("Noted.");
  });

  it.each([
    ["react to that with 👍", 'add_reaction {"message":"1","emoji":"👍"}'],
    ["pin the last message", 'pin_message {"message":"1"}'],
  ])("acts on the newest message of a person, once it is found: %s", async (words, call) => {
    const found = {
      messages: [
        { id: "1", from: "Theo" },
        { id: "2", from: "Parley (bot)" },
      ],
    };
    const conversation: Message[] = [
      { role: "user", content: words },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "read_recent_messages", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: JSON.stringify(found) },
    ];
    expect(named(await ask(quickModel().model, conversation, OFFERED))).toEqual([call]);
  });

  it.each<[name: string, result: object, text: string]>([
    [
      "set_reminder",
      { number: 1, text: "tea", timestamp: "<t:9:F>", note: "so" },
      "⏰ Reminder 1 is set for <t:9:F>: tea. Mind that so.",
    ],
    [
      "set_reminder",
      { number: 1, text: "tea", timestamp: "<t:9:F>", every: "every hour" },
      "⏰ Reminder 1 is set, every hour from <t:9:F>: tea.",
    ],
    ["list_reminders", { pending: [{ number: 1, text: "tea", timestamp: "<t:9:F>" }] }, "- 1. tea, <t:9:F>"],
    [
      "list_reminders",
      {
        pending: [1, 2].map((number) => ({
          number,
          text: "tea",
          timestamp: "<t:9:F>",
          every: "every hour",
          ...(number > 1 && { paused: "it failed" }),
        })),
      },
      "- 1. tea, every hour, <t:9:F>\n- 2. tea, every hour, paused",
    ],
    ["list_reminders", { pending: [] }, "There are no reminders."],
    ["cancel_reminder", { number: 1, cancelled: false }, "There was no such reminder."],
    ["recall", { found: [{ number: 2, text: "tea", toldBy: "<@7>" }] }, "- 2. tea (from <@7>)"],
    ["forget", { number: 2, forgotten: true }, "Number 2 is forgotten."],
    ["add_reaction", { emoji: "👍" }, "I reacted with 👍."],
    ["read_recent_messages", { messages: [{ from: "Mira", text: "hi" }] }, "- **Mira**: hi"],
    ["pin_message", { odd: 1 }, '`pin_message` returned this:\n```json\n{"odd":1}\n```'],
  ])("ends with the result of %s in words: %j", async (name, result, text) => {
    const conversation: Message[] = [
      { role: "user", content: "well?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name, arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: JSON.stringify(result) },
    ];
    expect((await ask(quickModel().model, conversation, OFFERED)).text).toBe(text);
  });

  it.each([
    ["a reminder", undefined],
    [
      "a recurring task",
      { rule: { unit: "ms", every: 3_600_000, from: 0 }, every: "every hour", failures: 0 } as const,
    ],
  ])("reminds the person when it comes back as %s, in the person's own words", async (_what, task) => {
    const origin = { applicationId: "1", channelId: "2", guildId: null, userName: "Theo", locale: "en-GB" };
    const set = { number: 1, userId: "3", text: 'buy "green" tea', dueAt: 60_000, setAt: 0, ...(task && { task }) };
    const { text } = dueReminder(set, origin, 60_000);
    expect((await said(`[Theo · u1]\n${text}`)).text).toBe('You asked me to remind you: **buy "green" tea**.');
  });
});
