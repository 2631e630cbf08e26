// The requests that use the application's commands. Draws nothing.
import type { Filled, Form, Picked, Registered, Usable } from "./commands.ts";
import { type PostResult, post } from "./world.ts";

type Speaker = { channel: string; as: string };

/** Reads the registered commands; none if the playground does not answer. */
export async function registered(): Promise<Registered[]> {
  const response = await fetch("/local/commands").catch(() => null);
  return response?.ok ? await response.json() : [];
}

/** Uses a command. The answer may contain a form to fill in. */
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

/** Reads the choices that the application offers for an option while a person types. */
export async function offers(
  speaker: Speaker,
  { name, subcommand }: Usable,
  options: Filled,
  focused: string,
): Promise<{ value: string; label: string }[]> {
  const typing = { ...speaker, kind: "autocomplete", name, ...(subcommand && { subcommand }), options, focused };
  const { shown } = await post("/local/interact", typing);
  if (!Array.isArray(shown)) return [];
  return shown.map(({ value, name }: { value: string; name: string }) => ({ value: `${value}`, label: `${name}` }));
}

/** Returns the form in an answer, if there is one. */
export const formIn = ({ seen, shown }: PostResult): Form | null => (seen === "modal" ? (shown as Form) : null);

/** Converts a person's file for a request. */
export async function picked(file: File): Promise<Picked> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { filename: file.name, contentType: file.type || "application/octet-stream", base64: btoa(binary) };
}
