// Builds the list of commands to register with Discord. It replaces the registered list and is the same on every run.
import type {
  APIApplicationCommandBasicOption,
  APIApplicationCommandSubcommandOption,
  RESTPutAPIApplicationCommandsJSONBody,
} from "discord-api-types/v10";
import type { CommandTree, GroupShape, LeafShape, OptionShape } from "./command-shapes.ts";
import { descriptions, words } from "./command-words.ts";
import { commands, messageCommands } from "./commands.ts";

const CHAT_INPUT = 1;
const MESSAGE = 3;
const SUBCOMMAND = 1;
const TEXT = 3;
const WHOLE = 4;
const FLAG = 5;
const ATTACHMENT = 11;
const MANAGE_SERVER = "32";

/** For bots that a server or a person installed; in servers, in the bot's own direct messages, and in direct messages between people. */
const EVERYWHERE = { integration_types: [0, 1], contexts: [0, 1, 2] };

/** Only in the bot's own direct messages. */
const IN_OWN_DMS = { integration_types: [0, 1], contexts: [1] };

/** Builds the body of `PUT /applications/{id}/commands`. */
export const registration = (): RESTPutAPIApplicationCommandsJSONBody => [
  ...Object.entries<CommandTree[string]>(commands).map(([name, entry]) => ({
    type: CHAT_INPUT,
    ...named(name, name),
    ...described(name),
    ...("contexts" in entry && entry.contexts ? IN_OWN_DMS : EVERYWHERE),
    // This only hides commands that most people can't use. A server may change it, so answer-interaction.ts checks again.
    ...(isManagersOnly(entry) && { default_member_permissions: MANAGE_SERVER }),
    options: "subcommands" in entry ? buildSubcommands(name, entry) : buildOptions(name, entry),
  })),
  ...messageCommands.map((name) => ({ type: MESSAGE, ...named(name, name), ...EVERYWHERE })),
];

/**
 * Returns the names of registered commands that belong to another program. A list with most of our commands is ours, in whatever version,
 * because registering replaces the whole list (Discord).
 */
export function namesOfOthers(names: readonly string[]): string[] {
  const own = registration().map(({ name }) => name);
  const isOurs = own.filter((name) => names.includes(name)).length > own.length / 2;
  return isOurs ? [] : names.filter((name) => !own.includes(name));
}

const isManagersOnly = (entry: CommandTree[string]): boolean =>
  ("subcommands" in entry ? Object.values(entry.subcommands) : [entry]).every(({ access }) => access === "manager");

const buildSubcommands = (path: string, { subcommands }: GroupShape): APIApplicationCommandSubcommandOption[] =>
  Object.entries(subcommands).map(([name, leaf]) => ({
    type: SUBCOMMAND,
    ...named(name, `${path} ${name}`),
    ...described(`${path} ${name}`),
    options: buildOptions(`${path} ${name}`, leaf),
  }));

const buildOptions = (path: string, { options = {} }: LeafShape): APIApplicationCommandBasicOption[] =>
  Object.entries(options).map(([name, option]) => buildOption(name, `${path} ${name}`, option));

function buildOption(name: string, path: string, option: OptionShape): APIApplicationCommandBasicOption {
  const base = {
    ...named(name, path),
    ...described(path),
    ...(option.required && { required: true }),
  };
  switch (option.type) {
    case "text": {
      const bounded = { ...base, ...(option.maxLength !== undefined && { max_length: option.maxLength }) };
      if (option.completes) return { type: TEXT, ...bounded, autocomplete: true };
      const choices = option.choices?.map((value) => ({ name: value, value }));
      return { type: TEXT, ...bounded, ...(choices && { choices }) };
    }
    case "whole": {
      const { min, max } = option;
      return {
        type: WHOLE,
        ...base,
        ...(min !== undefined && { min_value: min }),
        ...(max !== undefined && { max_value: max }),
      };
    }
    case "flag":
      return { type: FLAG, ...base };
    case "file":
      return { type: ATTACHMENT, ...base };
  }
}

const named = (name: string, path: string) => ({ name, ...localized("name", path) });
const described = (path: string) => ({
  // The type of the descriptions says that every path of the tree has one.
  description: descriptions[path as keyof typeof descriptions],
  ...localized("description", path),
});

function localized(what: "name" | "description", path: string) {
  const known = Object.entries(words).flatMap(([locale, of]) => {
    const text = of[path as keyof typeof of]?.[what];
    return text === undefined ? [] : [[locale, text] as const];
  });
  return known.length === 0 ? {} : { [`${what}_localizations`]: Object.fromEntries(known) };
}
