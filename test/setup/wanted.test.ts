// Whether Discord's commands are those of this program: every difference that a person would notice counts, and no other.
import { expect, it } from "vitest";
import { registration } from "../../src/discord/commands/registration.ts";
import {
  areCurrent,
  COMMAND_COUNT,
  countCurrent,
  installSettings,
  isInstallable,
  listForeign,
  wantedCommands,
} from "../../src/setup/wanted.ts";

type Fields = { [name: string]: unknown; options?: Fields[] };
const own = () => structuredClone(registration()) as unknown as Fields[];

/** The commands and options of all levels. */
const all = (list: Fields[]): Fields[] => list.flatMap((one) => [one, ...all(one.options ?? [])]);

it("accepts them as Discord sends them back", () => {
  const sent = own().reverse();
  for (const one of all(sent)) {
    one.name_localizations ??= null;
    if (one.options?.length === 0) delete one.options;
    for (const choice of (one.choices as Fields[] | undefined) ?? []) choice.name_localizations ??= null;
  }
  for (const one of sent) {
    Object.assign(one, { id: "1", application_id: "2", version: "3", nsfw: false });
    one.default_member_permissions ??= null;
    one.contexts = (one.contexts as number[]).toReversed();
  }
  expect([areCurrent(sent), countCurrent(sent)]).toEqual([true, COMMAND_COUNT]);
});

it.each([
  ["a choice that is new", "choices", (choices: unknown) => (choices as unknown[]).slice(1)],
  ["another bound", "max_value", (most: unknown) => Number(most) - 1],
  ["another length", "max_length", (most: unknown) => Number(most) - 1],
  ["suggestions", "autocomplete", () => false],
  ["a translated name", "name_localizations", () => null],
  ["a translated description", "description_localizations", () => ({ de: "Anders" })],
  ["another permission", "default_member_permissions", () => "8"],
  ["another place", "contexts", () => [0]],
  ["another kind of installation", "integration_types", () => [0]],
  ["an option that is required", "required", () => false],
])("notices %s", (_, field, change) => {
  const old = own();
  const found = all(old).find((one) => one[field] !== undefined);
  if (!found) throw new Error(`no command has ${field}`);
  found[field] = change(found[field]);
  expect([areCurrent(old), countCurrent(old)]).toEqual([false, COMMAND_COUNT - 1]);
});

it("finds the commands of another program, and none in a list of our own, whatever its version", () => {
  const newer = { name: "newer", description: "Added later." };
  const few = own().slice(0, Math.floor(COMMAND_COUNT / 2));
  const most = own().slice(0, few.length + 1);
  const lists = [[newer], [...few, newer], [...most, newer], [...own(), newer], most, [], "nonsense"];
  expect(lists.map(listForeign)).toEqual([["newer"], ["newer"], [], [], [], [], []]);
});

it("leaves the command that opens an Activity as it is, next to ours", () => {
  const launch = { name: "Launch", type: 4, handler: 2, description: "", name_localizations: { de: "Starten" } };
  const sent = { ...launch, id: "1", application_id: "2", version: "3", nsfw: false, default_member_permissions: null };
  expect([areCurrent([sent, ...own()]), areCurrent([sent]), listForeign([sent])]).toEqual([true, false, []]);
  expect(wantedCommands([sent, { name: "old", type: 1 }])).toEqual([...own(), { ...launch, id: "1" }]);
});

it("leaves the permissions that somebody chose for servers if only the installation by persons is missing", () => {
  const chosen = { oauth2_install_params: { scopes: ["applications.commands", "bot"], permissions: "8" } };
  expect(isInstallable({ "0": chosen })).toBe(false);
  expect(installSettings({ "0": chosen })).toEqual({ "0": chosen, "1": installSettings(null)["1"] });
  const bare = { oauth2_install_params: { scopes: ["applications.commands"], permissions: "0" } };
  expect(installSettings({ "0": bare, "1": bare })).toEqual({ "0": installSettings(null)["0"], "1": bare });
  for (const settings of [null, { "0": null }, { "0": {}, "1": {} }, { "0": chosen }, "nonsense"])
    expect(isInstallable(installSettings(settings))).toBe(true);
});
