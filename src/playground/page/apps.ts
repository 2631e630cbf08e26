// The application's commands as the local Discord has them registered, and the requests that use them. Draws nothing.
import { post, type Told } from "./world.ts";

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
export type Registered = { type?: number; name: string; description?: string; options?: Option[] };

/** Something that can be used: a command, or a subcommand by its path. */
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

/** A file as a request carries it. */
export type Picked = { filename: string; contentType: string; base64: string };
/** What was filled in. */
export type Filled = Record<string, string | number | { attachment: Picked }>;

type Place = { channel: string; as: string };

const SUBCOMMAND = 1;
const MENU = 3;

/** What is registered; nothing when the playground does not answer. */
export async function registered(): Promise<Registered[]> {
  const response = await fetch("/local/commands").catch(() => null);
  return response?.ok ? await response.json() : [];
}

/** Every slash command and subcommand by itself. */
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
export const use = (place: Place, { name, subcommand }: Usable, options: Filled): Promise<Told> =>
  post("/local/interact", { ...place, kind: "command", name, ...(subcommand && { subcommand }), options });

/** Uses an entry in the menu of a message. */
export const useOn = (place: Place, messageId: string, name: string): Promise<Told> =>
  post("/local/interact", { ...place, kind: "message-command", name, messageId });

/** Sends a form in. */
export const submit = (place: Place, form: Form, fields: Record<string, string | Picked[]>): Promise<Told> =>
  post("/local/interact", { ...place, kind: "submit", customId: form.custom_id, fields });

/** What the application offers for an option while somebody types. */
export async function offers(
  place: Place,
  { name, subcommand }: Usable,
  options: Filled,
  focused: string,
): Promise<string[]> {
  const typing = { ...place, kind: "autocomplete", name, ...(subcommand && { subcommand }), options, focused };
  const { shown } = await post("/local/interact", typing);
  return Array.isArray(shown) ? shown.map((choice: { value: string }) => String(choice.value)) : [];
}

/** The form in an answer, if there is one. */
export const formIn = ({ seen, shown }: Told): Form | null => (seen === "modal" ? (shown as Form) : null);

/** A file of the person's, as a request carries it. */
export async function picked(file: File): Promise<Picked> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { filename: file.name, contentType: file.type || "application/octet-stream", base64: btoa(binary) };
}
