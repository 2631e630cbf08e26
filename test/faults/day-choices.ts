// What people may ask, command and set on a random day, and how the model answers.
import type { Act } from "../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { Answer } from "../support/scripted-model.ts";

/** The fourth person there. */
export const ADA = "1180000000000000777";
const MINUTE_MS = 60_000;

/** How the model answers a question that ends with this word. No two answers are the same. */
export const ANSWERS: Readonly<Record<string, (mark: string) => Answer>> = {
  hello: (mark) => ({ texts: [`Hello ${mark} `, "there."] }),
  long: (mark) => ({
    texts: Array.from({ length: 30 }, (_, n) => `Part ${n} of ${mark} ${"lorem ipsum ".repeat(20)}\n\n`),
  }),
  slowly: (mark) => ({ texts: [`First ${mark}`], pauseMs: 20_000 }),
  hours: (mark) => ({ texts: [`First ${mark}`, " and more"], pauseMs: 14 * MINUTE_MS }),
  hang: (mark) => ({ texts: [`Hm ${mark}`], hang: true }),
  fail: (mark) => ({ texts: [`Well ${mark}`], fails: "overloaded" }),
  nothing: () => ({ texts: [] }),
  count: using("count"),
  much: using("count", "read", "put", "draw"),
  announce: using("announce"),
  purge: using("purge"),
  wait: using("slow"),
  deaf: using("deaf"),
  broken: using("broken"),
  peek: using("peek"),
  messages: using("read_recent_messages"),
  thread: (mark) => ({ texts: [`A thread ${mark}`], calls: [{ name: "create_thread", args: { name: mark } }] }),
  remind: (mark) => ({
    texts: [`Soon ${mark}`],
    calls: [{ name: "set_reminder", args: { text: mark, when: "in 2 minutes" } }],
  }),
  keep: (mark) => ({ texts: [`Kept ${mark}`], calls: [{ name: "remember", args: { text: mark } }] }),
  poll: using("create_poll"),
  loop: using("count"),
  unknown: using("no_such_tool", "count"),
  twice: using("count", "count"),
  mute: (mark) => ({ texts: [], calls: [{ name: "count", args: { note: mark } }] }),
  same: () => ({ texts: ["The same"], calls: [{ name: "announce", args: { note: "the same" } }] }),
  draw: using("draw", "create_poll"),
  react: using("add_reaction"),
  metadata: using("reveal_message_metadata"),
  notes: using("update_short_term_memory"),
  recall: using("recall", "list_reminders"),
  forget: using("cancel_reminder"),
  pin: using("pin_message"),
  late: (mark) => ({ texts: [`Late ${mark}`], firstMs: 45_000 }),
  blank: (mark) => ({ texts: ["   \n\n", `  Blank ${mark}`, "\n\n\n   "] }),
  signs: (mark) => ({ texts: [`@everyone ${mark} <@${PEOPLE.theo}> `, "||hid", "den|| > quote\n>>> rest"] }),
  list: (mark) => ({
    texts: Array.from(
      { length: 60 },
      (_, n) => `## Part ${n} of ${mark}\n\n${"- item **bold** `code`\n".repeat(12)}\n`,
    ),
  }),
};

/** The arguments of tool calls; other tools get a note. */
const ARGUMENTS: Readonly<Record<string, (mark: string) => object>> = {
  create_poll: (mark) => ({ question: mark, answers: ["a", "b"] }),
  add_reaction: () => ({ emoji: "👍" }),
  update_short_term_memory: (mark) => ({ text: mark }),
  recall: () => ({ query: "n" }),
  cancel_reminder: () => ({ number: 1 }),
  reveal_message_metadata: () => ({}),
  list_reminders: () => ({}),
  pin_message: () => ({}),
};

function using(...names: string[]): (mark: string) => Answer {
  return (mark) => ({
    texts: [`Let me see ${mark}`],
    calls: names.map((name) => ({ name, args: ARGUMENTS[name]?.(mark) ?? { note: mark } })),
  });
}

export const COMMANDS: readonly Extract<Act, { kind: "command" }>[] = [
  { kind: "command", name: "stop" },
  { kind: "command", name: "catch-up" },
  ...["kill", "status", "trace", "reset", "usage", "compact", "summary"].map((subcommand) => ({
    kind: "command" as const,
    name: "bot",
    subcommand,
  })),
  { kind: "command", name: "reminders", subcommand: "list" },
  { kind: "command", name: "reminders", subcommand: "cancel", options: { number: 1 } },
  ...["forget", "show", "export"].map((subcommand) => ({ kind: "command" as const, name: "privacy", subcommand })),
  ...["on", "off"].flatMap((state) => [
    { kind: "command" as const, name: "privacy", subcommand: "opt-out", options: { state } },
    { kind: "command" as const, name: "deliberate", subcommand: "mode", options: { state } },
  ]),
  { kind: "command", name: "remember", subcommand: "me", options: { text: "I like tea." } },
  { kind: "command", name: "persona", subcommand: "delete", options: { name: "Bob" } },
  { kind: "command", name: "persona", subcommand: "create", options: { name: "Bob", prompt: "Be long." } },
  { kind: "command", name: "ask-long" },
  { kind: "command", name: "persona", subcommand: "use", options: { name: "Ada" } },
  { kind: "command", name: "persona", subcommand: "use" },
];

/** The settings that may be changed, and their values; null clears a setting. */
export const SETTINGS: Readonly<Record<string, readonly (string | null)[]>> = {
  follow_up: ["interrupt", "queue", "steer"],
  kill_policy: ["anyone", null],
  ping_when_done: ["always", null],
  show_question: ["false", null],
  notices: ["false", null],
  auto_thread: ["true", null, null, null],
  private: ["true", null],
  max_messages: ["1", null],
  answer_to: ["mention", "off", null, null],
  link_previews: ["true", null],
  channel_context: ["0", null],
  keep_days: ["1", null],
  turns_per_minute: ["3", null, null],
  thought_log_channel: [PLACES.general, null, null],
  user_turns_per_day: ["4", null, null],
  channel_tokens_per_day: ["3000", null, null],
  deny_users: [ADA, PEOPLE.theo, null],
};
