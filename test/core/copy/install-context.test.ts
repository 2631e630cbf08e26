// What `/bot status` lists as off if the bot has no token or is not a member: every tool that needs one of them.
import { expect, it } from "vitest";
import { missingIn } from "../../../src/core/copy/install-context.ts";
import { tools } from "../../../src/tools/index.ts";

/** The word that people use for what each of these tools does. */
const WORDS: Readonly<Record<string, RegExp>> = {
  add_reaction: /reactions/,
  create_poll: /polls/,
  create_thread: /threads/,
  pin_message: /\bpin/,
  read_recent_messages: /\bread/,
  set_reminder: /reminders/,
};

it("has a word for each tool that needs the bot", () => {
  const needy = tools.filter(({ requires }) => requires?.botToken || requires?.services?.includes("actions"));
  expect(needy.map(({ name }) => name).sort()).toEqual(Object.keys(WORDS));
});

it.each([
  ["a server, without the token", missingIn({ kind: "server", isMember: true }, false), []],
  ["a server that has not added the bot", missingIn({ kind: "server", isMember: false }, true), []],
  // Such a conversation has no threads.
  ["a conversation between people", missingIn({ kind: "private_channel" }, true), ["create_thread"]],
])("names everything that is off in %s", (_, sentences, without) => {
  const text = sentences.join("\n");
  const unnamed = Object.keys(WORDS).filter((tool) => !WORDS[tool]?.test(text));
  expect(unnamed).toEqual(without);
});
