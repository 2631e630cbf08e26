// The limits of commands that Discord's spec does not state (docs: interactions/application-commands).
import type { Fault } from "./errors.ts";

const NAME = /^[-_'\p{L}\p{N}\p{Script=Devanagari}\p{Script=Thai}]{1,32}$/u;
const MAX_COMMAND_CHARACTERS = 8000;
/** The type of the command that opens an application's Activity. */
export const ENTRY_POINT = 4;

interface Option {
  type: number;
  name: string;
  description?: string;
  required?: boolean;
  options?: Option[];
  choices?: { name: string; value: unknown }[];
}

/** Lists the faults of a whole overwrite, each under its command's index. */
export function commandFaults(commands: readonly Record<string, unknown>[]): Fault[] {
  const seen = new Set<string>();
  return commands.flatMap((raw, n) => {
    const command = raw as unknown as Option;
    const type = command.type ?? 1;
    const key = `${type} ${command.name}`;
    const twice = seen.has(key);
    seen.add(key);
    return [
      ...(twice ? [fault([n], "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")] : []),
      ...(type === 1 ? slashFaults(command, [n]) : type === ENTRY_POINT ? [] : contextMenuFaults(command, [n])),
    ];
  });
}

function slashFaults(command: Option, path: Fault["path"]): Fault[] {
  const faults = nameFaults(command, path);
  if (!command.description)
    faults.push(fault([...path, "description"], "BASE_TYPE_REQUIRED", "This field is required"));
  if (characters(command) > MAX_COMMAND_CHARACTERS)
    faults.push(fault(path, "APPLICATION_COMMAND_TOO_LARGE", `Command exceeds ${MAX_COMMAND_CHARACTERS} characters.`));
  return faults;
}

/** Context menu commands may have capitals and spaces, but no description and no options. */
function contextMenuFaults({ description, options }: Option, path: Fault["path"]): Fault[] {
  return [
    ...(description
      ? [fault([...path, "description"], "APPLICATION_COMMAND_INVALID_DESCRIPTION", "Must be empty.")]
      : []),
    ...(options?.length ? [fault([...path, "options"], "APPLICATION_COMMAND_INVALID_OPTIONS", "Must be empty.")] : []),
  ];
}

function nameFaults({ name, options = [] }: Option, path: Fault["path"]): Fault[] {
  const faults: Fault[] = [];
  if (!NAME.test(name) || name !== name.toLowerCase())
    faults.push(fault([...path, "name"], "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid"));
  options.forEach((option, n) => {
    const here = [...path, "options", n];
    if (option.required && options.slice(0, n).some((before) => !before.required))
      faults.push(fault(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options come first."));
    if (options.findIndex(({ name: other }) => other === option.name) < n)
      faults.push(fault(here, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists"));
    faults.push(...nameFaults(option, here));
  });
  return faults;
}

/** Adds up the lengths of names, descriptions and choice values, as Discord does. */
function characters({ name, description = "", options = [], choices = [] }: Option): number {
  const inChoices = choices.reduce((sum, choice) => sum + choice.name.length + String(choice.value).length, 0);
  return name.length + description.length + inChoices + options.reduce((sum, option) => sum + characters(option), 0);
}

const fault = (path: Fault["path"], code: string, message: string): Fault => ({ path, code, message });
