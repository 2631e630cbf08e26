// The application's commands: their shapes, where a person can use which, and reading a command from text. Pure.
import type { Channel } from "./shapes.ts";

/** An option of a command: types 3 text, 4 whole number, 5 true or false, 11 file. */
export type Option = {
  type: number;
  name: string;
  description: string;
  required?: boolean;
  autocomplete?: boolean;
  choices?: { name: string; value: string }[];
  options?: Option[];
};
/** A registered command: types 1 slash, 3 in the menu of a message. */
export type Registered = {
  type?: number;
  name: string;
  description?: string;
  options?: Option[];
  /** Where it exists: 0 servers, 1 the bot's direct messages, 2 conversations between people. If absent: everywhere. */
  contexts?: number[];
};

/** Something that a person can use: a command, or a subcommand with its path. */
export type Usable = { name: string; subcommand?: string; path: string; description: string; options: Option[] };

/** A component of a form: 18 is a label around another component, 4 a text, 19 files. */
export type Field = {
  type: number;
  label?: string;
  description?: string;
  custom_id?: string;
  required?: boolean;
  max_length?: number;
  placeholder?: string;
  component?: Field;
};
/** A form that the application opened. */
export type Form = { custom_id: string; title: string; components: Field[] };

/** A file in a request. */
export type Picked = { filename: string; contentType: string; base64: string };
/** The values that were filled in. */
export type Filled = Record<string, string | number | boolean | { attachment: Picked }>;

const SUBCOMMAND = 1;
const TEXT = 3;
/** An option that takes a whole number. */
export const WHOLE = 4;
/** An option that is true or false. */
export const BOOLEAN = 5;
/** An option that takes a file. */
export const FILE = 11;
const MENU = 3;

/** Lists the commands that exist in this kind of channel. */
export const findOffered = (commands: readonly Registered[], { type }: Channel): Registered[] => {
  const context = type === 3 ? 2 : type === 1 ? 1 : 0;
  return commands.filter(({ contexts }) => contexts?.includes(context) ?? true);
};

/** Lists every slash command and subcommand separately. */
export const listUsable = (commands: readonly Registered[]): Usable[] =>
  commands
    .filter(({ type = 1 }) => type === 1)
    .flatMap(({ name, description = "", options = [] }): Usable[] => {
      const inner = options.filter(({ type }) => type === SUBCOMMAND);
      if (inner.length === 0) return [{ name, path: name, description, options }];
      return inner.map((one) => ({
        name,
        subcommand: one.name,
        path: `${name} ${one.name}`,
        description: one.description,
        options: one.options ?? [],
      }));
    });

/** Lists the commands that match the text after the slash, as in Discord: first those that begin with it, then those with a later word that does. */
export function listFitting(usable: readonly Usable[], typed: string): Usable[] {
  // Phone keyboards add a space after a word.
  const wanted = typed.trimEnd().toLowerCase();
  const begins = usable.filter(({ path }) => path.startsWith(wanted));
  return [...begins, ...usable.filter((one) => !begins.includes(one) && one.path.includes(` ${wanted}`))];
}

/** A command that was written out, and the values in its text. */
export type Written = { command: Usable; options: Filled };

/**
 * Reads "/persona use name:Ada", a command with named options, or "/chat what time is it?", whose first option takes the rest of the text.
 * Null if the text is not a command like these. If a required option is missing, Discord refuses the command and names the option.
 */
export function readWritten(text: string, usable: readonly Usable[]): Written | null {
  const fitting = usable.filter(({ path }) => `${text} `.startsWith(`/${path} `));
  const [command] = fitting.sort((one, other) => other.path.length - one.path.length);
  const rest = text.slice((command?.path.length ?? 0) + 1).trim();
  if (!command) return null;
  const options = rest === "" ? {} : (readNamed(rest, command.options) ?? readFirst(rest, command.options));
  const isUnderstood =
    rest === "" || Object.keys(options).length > 0 || command.options.some(({ required }) => required);
  return isUnderstood ? { command, options } : null;
}

/** Reads "name:Ada prompt:Be kind."; null if the text does not begin with the name of an option. */
function readNamed(text: string, options: readonly Option[]): Filled | null {
  const names = options.filter(({ type }) => type !== FILE).map(({ name }) => name);
  const [before, ...pairs] = text.split(new RegExp(`(?:^|\\s+)(${names.join("|")}):`));
  if (before !== "" || pairs.length === 0) return null;
  const values = names.flatMap((name) => {
    const at = pairs.findIndex((one, index) => index % 2 === 0 && one === name);
    const type = options.find((one) => one.name === name)?.type ?? TEXT;
    return at < 0 ? [] : [[name, readValue(type, (pairs[at + 1] ?? "").trim())] as const];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== "" && !Number.isNaN(value)));
}

const readFirst = (text: string, [first]: readonly Option[]): Filled =>
  first?.type === TEXT ? { [first.name]: text } : {};

/** Converts the text in a field to the value that Discord's client sends. */
export const readValue = (type: number, text: string): string | number | boolean =>
  type === WHOLE ? Number(text) : type === BOOLEAN ? text.toLowerCase() === "true" : text;

/** Returns the name of a command's option that takes a file; undefined if it has none. */
export const fileOption = ({ options }: Usable): string | undefined => options.find(({ type }) => type === FILE)?.name;

/** Lists the names in the menu of a message. */
export const listMenu = (commands: readonly Registered[]): string[] =>
  commands.flatMap(({ type, name }) => (type === MENU ? [name] : []));
