// The list of commands that Discord gets: complete, well formed by Discord's own schemas and rules, and the same on every run.
import { expect, it } from "vitest";
import { words } from "../../../src/discord/commands/command-words.ts";
import { commands, messageCommands } from "../../../src/discord/commands/commands.ts";
import { registration } from "../../../src/discord/commands/registration.ts";
import { commandFaults } from "../../../src/playground/discord/command-rules.ts";
import { schemaFaults } from "../../../src/playground/discord/schemas.ts";

interface Entry {
  type?: number;
  name: string;
  description?: string;
  name_localizations?: Record<string, string>;
  description_localizations?: Record<string, string>;
  integration_types?: number[];
  contexts?: number[];
  default_member_permissions?: string;
  required?: boolean;
  min_value?: number;
  max_value?: number;
  options?: Entry[];
}

const entries = registration() as unknown as Entry[];
const SLASH = 1;
const walk = (list: readonly Entry[], above = ""): [path: string, one: Entry][] =>
  list.flatMap((one) => [
    [`${above}${one.name}`, one] as [string, Entry],
    ...walk(one.options ?? [], `${above}${one.name} `),
  ]);

it("the registration passes Discord's own schemas and the rules that they don't cover", () => {
  expect(schemaFaults("commands", registration())).toEqual([]);
  expect(commandFaults(registration() as unknown as Record<string, unknown>[])).toEqual([]);
});

it("the registration has every described command for both installs and all three contexts, except the owner's, which are for direct messages", () => {
  expect(entries.map(({ name }) => name)).toEqual([...Object.keys(commands), ...messageCommands]);
  for (const { name, integration_types, contexts } of entries)
    expect({ integration_types, contexts }).toEqual({
      integration_types: [0, 1],
      contexts: name === "owner" ? [1] : [0, 1, 2],
    });
});

it("the registration bounds numbers as the program does", () => {
  const bounded = walk(entries).flatMap(([path, one]) =>
    "min_value" in one || "max_value" in one ? [[path, one.min_value, one.max_value]] : [],
  );
  expect(bounded).toEqual([
    ["catch-up since", 1, 168],
    ["reminders cancel number", 1, undefined],
    ["deliberate context turns", 0, 10],
  ]);
});

it("the registration hides from most people only the commands reserved for managers", () => {
  const hidden = entries.filter((one) => one.default_member_permissions !== undefined);
  expect(hidden.map(({ name, default_member_permissions: bits }) => [name, bits])).toEqual([
    ["persona", "32"],
    ["config", "32"],
    ["model", "32"],
  ]);
});

it("the registration describes each command and option in 1 to 100 characters, in English and in German", () => {
  const faults = walk(entries).flatMap(([path, one]) => {
    const isMenu = !one.options && one.description === undefined;
    const texts = { "commands.ts": one.description, "commands-de.ts": one.description_localizations?.de };
    return Object.entries(texts).flatMap(([file, text = ""]) =>
      isMenu || (text !== "" && [...text].length <= 100) ? [] : [`${path} in core/copy/${file}: "${text}"`],
    );
  });
  expect(faults).toEqual([]);
});

it("localized names have Discord's form and differ from each other", () => {
  const siblings = (list: readonly Entry[]): string[] => {
    const names = list.map((one) => one.name_localizations?.de ?? one.name);
    const bad = names.filter((name, n) => {
      const isSlash = list[n]?.description !== undefined;
      return names.indexOf(name) < n || (isSlash && !/^[-_\p{Ll}\p{N}]{1,32}$/u.test(name));
    });
    return [...bad, ...list.flatMap(({ options = [] }) => siblings(options))];
  };
  expect(siblings(entries.filter(({ type }) => type === SLASH))).toEqual([]);
});

it("every path with words belongs to a command or an option", () => {
  const paths = walk(entries).map(([path]) => path);
  expect(Object.values(words).flatMap((of) => Object.keys(of).filter((path) => !paths.includes(path)))).toEqual([]);
});
