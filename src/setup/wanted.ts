// How the application should be set in Discord: install settings, intent, commands. Pure.
import { namesOfOthers, registration } from "../discord/commands/registration.ts";
import { PERMISSIONS } from "../discord/invite-link.ts";
import { entryPointsIn, isEntryPoint } from "../discord/rest/entry-point.ts";
import { type Fields, readFields, readList, readText } from "../model/json-fields.ts";

const MESSAGE_CONTENT = 1 << 18;
const MESSAGE_CONTENT_LIMITED = 1 << 19;

/** What each permission that answers need is called in Discord. */
const NEEDED: readonly (readonly [bigint, string])[] = [
  [1n << 10n, "View Channels"],
  [1n << 11n, "Send Messages"],
  [1n << 16n, "Read Message History"],
  [1n << 38n, "Send Messages in Threads"],
];
const ADMINISTRATOR = 1n << 3n;

/** The permissions that answers need and that are not among these. */
export const listMissing = (permissions: bigint): string[] =>
  permissions & ADMINISTRATOR ? [] : NEEDED.flatMap(([bit, name]) => (permissions & bit ? [] : [name]));

/** Is the intent on, in the form for few servers or for many? */
export const hasMessageContent = (flags: number): boolean =>
  (flags & (MESSAGE_CONTENT | MESSAGE_CONTENT_LIMITED)) !== 0;

/** The flags with the intent on. */
export const withMessageContent = (flags: number): number => flags | MESSAGE_CONTENT_LIMITED;

/** `integration_types_config`: by a server with the bot (0), or by a person for themselves (1). */
const INSTALL_SETTINGS = {
  "0": { oauth2_install_params: { scopes: ["bot", "applications.commands"], permissions: PERMISSIONS } },
  "1": { oauth2_install_params: { scopes: ["applications.commands"], permissions: "0" } },
};

/** The settings with both ways to install it. Those that are there and work are somebody's own, and stay. */
export function installSettings(settings: unknown) {
  const { "0": server, "1": person } = INSTALL_SETTINGS;
  const found = readFields(settings);
  return { "0": works(found, "0") ? found?.["0"] : server, "1": works(found, "1") ? found?.["1"] : person };
}

/** Do these settings install the bot into a server and for a person? */
export function isInstallable(settings: unknown): boolean {
  const found = readFields(settings);
  return works(found, "0") && works(found, "1");
}

function works(settings: Fields | null, kind: keyof typeof INSTALL_SETTINGS): boolean {
  const { scopes } = readFields(readFields(settings?.[kind])?.oauth2_install_params) ?? {};
  const wanted = INSTALL_SETTINGS[kind].oauth2_install_params.scopes;
  return Array.isArray(scopes) && wanted.every((scope) => scopes.includes(scope));
}

/** The commands to register in the place of those that Discord has. */
export const wantedCommands = (registered: unknown): object[] => [...registration(), ...entryPointsIn(registered)];

/** Are these the commands of this program, in everything that a person meets? */
export function areCurrent(registered: unknown): boolean {
  const known = replaced(registered);
  return Array.isArray(registered) && JSON.stringify(summary(known)) === JSON.stringify(summary(registration()));
}

/** How many of the program's commands are registered as they are now. */
export function countCurrent(registered: unknown): number {
  const known = new Set(Array.isArray(registered) ? summary(registered).map((one) => JSON.stringify(one)) : []);
  return summary(registration()).filter((one) => known.has(JSON.stringify(one))).length;
}

/** The names of the registered commands that are another program's. */
export const listForeign = (registered: unknown): string[] =>
  namesOfOthers(replaced(registered).flatMap((one) => readText(readFields(one)?.name) ?? []));

/** The registered commands without the one that stays beside ours. */
const replaced = (registered: unknown): unknown[] => readList(registered).filter((one) => !isEntryPoint(one));

/** How many commands the program has. */
export const COMMAND_COUNT = registration().length;

/** Discord adds fields, drops empty lists, writes null for what is missing, and promises no order of what has none. */
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

/** Translations, by their languages. */
const describeWords = (words: unknown): unknown[] => Object.entries(words ?? {}).sort();
const listOf = (list: unknown): Fields[] => readList(list).map((one) => readFields(one) ?? {});
const listSorted = (list: unknown): unknown[] => (Array.isArray(list) ? list.toSorted() : []);
