// The application's commands as registered with the local Discord, and the requests that use them. Draws nothing.
import { type Channel, type PostResult, post } from "./world.ts";

/** An option of a command: types 3 text, 4 whole number, 11 file. */
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
  /** Where it exists: 0 servers, 1 the bot's direct messages, 2 conversations between people. Everywhere without it. */
  contexts?: number[];
};

/** Something that a person can use: a command, or a subcommand by its path. */
export type Usable = { name: string; subcommand?: string; path: string; description: string; options: Option[] };

/** A component of a form: 18 a label around another one, 4 a text, 19 files. */
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
export type Filled = Record<string, string | number | { attachment: Picked }>;

type Speaker = { channel: string; as: string };

const SUBCOMMAND = 1;
const MENU = 3;

/** The registered commands; none if the playground does not answer. */
export async function registered(): Promise<Registered[]> {
  const response = await fetch("/local/commands").catch(() => null);
  return response?.ok ? await response.json() : [];
}

/** The commands that exist in this kind of channel. */
export const findOffered = (commands: readonly Registered[], { type }: Channel): Registered[] => {
  const context = type === 3 ? 2 : type === 1 ? 1 : 0;
  return commands.filter(({ contexts }) => contexts?.includes(context) ?? true);
};

/** Every slash command and subcommand separately. */
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

/** The names in the menu of a message. */
export const listMenu = (commands: readonly Registered[]): string[] =>
  commands.flatMap(({ type, name }) => (type === MENU ? [name] : []));

/** Uses a command. The answer may carry a form to fill in. */
export const use = (speaker: Speaker, { name, subcommand }: Usable, options: Filled): Promise<PostResult> =>
  post("/local/interact", { ...speaker, kind: "command", name, ...(subcommand && { subcommand }), options });

/** Uses an entry in the menu of a message. */
export const useOn = (speaker: Speaker, messageId: string, name: string): Promise<PostResult> =>
  post("/local/interact", { ...speaker, kind: "message-command", name, messageId });

/** Submits a form. */
export const submitForm = (
  speaker: Speaker,
  form: Form,
  fields: Record<string, string | Picked[]>,
): Promise<PostResult> => post("/local/interact", { ...speaker, kind: "submit", customId: form.custom_id, fields });

/** The choices that the application offers for an option while a person types. */
export async function offers(
  speaker: Speaker,
  { name, subcommand }: Usable,
  options: Filled,
  focused: string,
): Promise<string[]> {
  const typing = { ...speaker, kind: "autocomplete", name, ...(subcommand && { subcommand }), options, focused };
  const { shown } = await post("/local/interact", typing);
  return Array.isArray(shown) ? shown.map((choice: { value: string }) => String(choice.value)) : [];
}

/** The form in an answer, if there is one. */
export const formIn = ({ seen, shown }: PostResult): Form | null => (seen === "modal" ? (shown as Form) : null);

/** Converts a person's file for a request. */
export async function picked(file: File): Promise<Picked> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { filename: file.name, contentType: file.type || "application/octet-stream", base64: btoa(binary) };
}
