// How the application should be configured at Discord: install settings, intent, commands. Pure.
import { namesOfOthers, registration } from "../discord/commands/registration.ts";
import { PERMISSIONS } from "../discord/invite-link.ts";
import { entryPointsIn, isEntryPoint } from "../discord/rest/entry-point.ts";
import { type Fields, readFields, readList, readText } from "../model/json-fields.ts";

const MESSAGE_CONTENT = 1 << 18;
const MESSAGE_CONTENT_LIMITED = 1 << 19;

/** The permissions that answers need, with their names in Discord. */
const NEEDED: readonly (readonly [bigint, string])[] = [
  [1n << 10n, "View Channels"],
  [1n << 11n, "Send Messages"],
  [1n << 16n, "Read Message History"],
  [1n << 38n, "Send Messages in Threads"],
];
const ADMINISTRATOR = 1n << 3n;

/** Lists the permissions that answers need and that are missing here. */
export const listMissing = (permissions: bigint): string[] =>
  permissions & ADMINISTRATOR ? [] : NEEDED.flatMap(([bit, name]) => (permissions & bit ? [] : [name]));

/** Whether the intent is on, in the form for few servers or the one for many. */
export const hasMessageContent = (flags: number): boolean =>
  (flags & (MESSAGE_CONTENT | MESSAGE_CONTENT_LIMITED)) !== 0;

/** Returns the flags with the intent switched on. */
export const withMessageContent = (flags: number): number => flags | MESSAGE_CONTENT_LIMITED;

/** `integration_types_config`: installed in a server, with the bot (0), or by a person for themselves (1). */
const INSTALL_SETTINGS = {
  "0": { oauth2_install_params: { scopes: ["bot", "applications.commands"], permissions: PERMISSIONS } },
  "1": { oauth2_install_params: { scopes: ["applications.commands"], permissions: "0" } },
};

/** Returns settings for both ways to install the bot. Existing ones that work stay, because somebody may have chosen them. */
export function installSettings(settings: unknown) {
  const { "0": server, "1": person } = INSTALL_SETTINGS;
  const found = readFields(settings);
  return { "0": works(found, "0") ? found?.["0"] : server, "1": works(found, "1") ? found?.["1"] : person };
}

/** Whether these settings can install the bot both in a server and for a person. */
export function isInstallable(settings: unknown): boolean {
  const found = readFields(settings);
  return works(found, "0") && works(found, "1");
}

function works(settings: Fields | null, kind: keyof typeof INSTALL_SETTINGS): boolean {
  const { scopes } = readFields(readFields(settings?.[kind])?.oauth2_install_params) ?? {};
  const wanted = INSTALL_SETTINGS[kind].oauth2_install_params.scopes;
  return Array.isArray(scopes) && wanted.every((scope) => scopes.includes(scope));
}

/** Returns the commands to register instead of those that Discord has. */
export const wantedCommands = (registered: unknown): object[] => [...registration(), ...entryPointsIn(registered)];

/** Whether these are the commands of this program, in everything that people see. */
export function areCurrent(registered: unknown): boolean {
  const known = replaced(registered);
  return Array.isArray(registered) && JSON.stringify(summary(known)) === JSON.stringify(summary(registration()));
}

/** Counts the program's commands that are registered in their current form. */
export function countCurrent(registered: unknown): number {
  const known = new Set(Array.isArray(registered) ? summary(registered).map((one) => JSON.stringify(one)) : []);
  return summary(registration()).filter((one) => known.has(JSON.stringify(one))).length;
}

/** Lists the names of registered commands that belong to another program. */
export const listForeign = (registered: unknown): string[] =>
  namesOfOthers(replaced(registered).flatMap((one) => readText(readFields(one)?.name) ?? []));

/** The registered commands that ours replace: all except the entry point, which stays. */
const replaced = (registered: unknown): unknown[] => readList(registered).filter((one) => !isEntryPoint(one));

/** How many commands the program has. */
export const COMMAND_COUNT = registration().length;

/** Makes commands comparable: Discord adds fields, drops empty lists, writes null for missing values, and guarantees no order. */
const summary = (commands: readonly unknown[]): unknown[] =>
  commands
    .map((one) => describe(readFields(one) ?? {}))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

const describe = (command: Fields): unknown[] => [
  ...describeName(command),
  ...[command.default_member_permissions ?? null, listSorted(command.contexts), listSorted(command.integration_types)],
  listOf(command.options).map(describeOption),
];

const describeOption = (option: Fields): unknown[] => [
  ...describeName(option),
  ...[option.required === true, option.autocomplete === true, listSorted(option.channel_types)],
  ...[option.min_value, option.max_value, option.min_length, option.max_length].map((bound) => bound ?? null),
  listOf(option.choices).map(({ name, value, name_localizations }) => [name, value, describeWords(name_localizations)]),
  listOf(option.options).map(describeOption),
];

const describeName = (one: Fields): unknown[] => [
  ...[one.type ?? 1, one.name, one.description ?? ""],
  ...[describeWords(one.name_localizations), describeWords(one.description_localizations)],
];

/** Translations, sorted by language. */
const describeWords = (words: unknown): unknown[] => Object.entries(words ?? {}).sort();
const listOf = (list: unknown): Fields[] => readList(list).map((one) => readFields(one) ?? {});
const listSorted = (list: unknown): unknown[] => (Array.isArray(list) ? list.toSorted() : []);
