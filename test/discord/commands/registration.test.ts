// The list that Discord is told: complete, well formed by Discord's own schemas and rules, and the same on every run.
import { expect, it } from "vitest";
import { words } from "../../../src/discord/commands/command-words.ts";
import { commands, messageCommands } from "../../../src/discord/commands/commands.ts";
import { registration } from "../../../src/discord/commands/registration.ts";
import { commandFaults } from "../../../src/playground/discord/command-rules.ts";
import { schemaFaults } from "../../../src/playground/discord/schemas.ts";

interface Told {
  type?: number;
  name: string;
  description?: string;
  name_localizations?: Record<string, string>;
  description_localizations?: Record<string, string>;
  integration_types?: number[];
  contexts?: number[];
  default_member_permissions?: string;
  required?: boolean;
  options?: Told[];
}

const told = registration() as unknown as Told[];
const SLASH = 1;
const walk = (list: readonly Told[], above = ""): [path: string, one: Told][] =>
  list.flatMap((one) => [
    [`${above}${one.name}`, one] as [string, Told],
    ...walk(one.options ?? [], `${above}${one.name} `),
  ]);

it("is accepted by Discord's own schemas and by the rules that they do not state", () => {
  expect(schemaFaults("commands", registration())).toEqual([]);
  expect(commandFaults(registration() as unknown as Record<string, unknown>[])).toEqual([]);
});

it("names every command that is described, for both installs and all three contexts", () => {
  expect(told.map(({ name }) => name)).toEqual([...Object.keys(commands), ...Object.keys(messageCommands)]);
  for (const { integration_types, contexts } of told)
    expect({ integration_types, contexts }).toEqual({ integration_types: [0, 1], contexts: [0, 1, 2] });
});

it("hides from most people only what nobody but managers may use", () => {
  const hidden = told.filter((one) => one.default_member_permissions !== undefined);
  expect(hidden.map(({ name, default_member_permissions: bits }) => [name, bits])).toEqual([
    ["persona", "32"],
    ["config", "32"],
  ]);
});

it("describes each command and option in 1 to 100 characters, and has them all in German", () => {
  const faults = walk(told).flatMap(([path, one]) => {
    const isMenu = !one.options && one.description === undefined;
    const texts = [one.description, one.description_localizations?.de];
    const isShort = texts.every((text) => text !== undefined && text.length >= 1 && [...text].length <= 100);
    return isMenu || isShort ? [] : [path];
  });
  expect(faults).toEqual([]);
});

it("keeps localized names to Discord's form and apart from each other", () => {
  const siblings = (list: readonly Told[]): string[] => {
    const names = list.map((one) => one.name_localizations?.de ?? one.name);
    const bad = names.filter((name, n) => {
      const isSlash = list[n]?.description !== undefined;
      return names.indexOf(name) < n || (isSlash && !/^[-_\p{Ll}\p{N}]{1,32}$/u.test(name));
    });
    return [...bad, ...list.flatMap(({ options = [] }) => siblings(options))];
  };
  expect(siblings(told.filter(({ type }) => type === SLASH))).toEqual([]);
});

it("has no words for a path that is none", () => {
  const paths = walk(told).map(([path]) => path);
  expect(Object.values(words).flatMap((of) => Object.keys(of).filter((path) => !paths.includes(path)))).toEqual([]);
});
