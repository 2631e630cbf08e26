// The personas of a channel: how they are stored, and which one speaks. They are stored with the settings,
// under their own keys, because a thread inherits its parent's personas just as it inherits its settings.
import { nullable, object, string } from "zod/mini";
import { parseJson } from "../core/json.ts";
import { once } from "../core/once.ts";
import type { Persona } from "../core/state/persona.ts";
import type { StoredSettings } from "./settings.ts";

const stored = once(() => object({ name: string(), prompt: string(), avatarUrl: nullable(string()) }));

const PREFIX = "persona:";
/** The key of the name of the persona that speaks by default; the empty name is the bot itself. */
export const IN_USE = "persona";

/** Returns the key of a persona. Names are compared without case and outer white space. */
export const personaKey = (name: string): string => PREFIX + name.trim().toLowerCase();

/** Lists the personas available in a channel, sorted by name. A thread's own persona hides its parent's of the same name. */
export function readPersonas(own: StoredSettings, parent: StoredSettings): Persona[] {
  const rows = Object.entries({ ...parent, ...own }).filter(([key]) => key.startsWith(PREFIX));
  const personas = rows.flatMap(([, text]) => readPersona(text) ?? []);
  return personas.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the persona with that name, or null. */
export function findPersona(personas: readonly Persona[], name: string): Persona | null {
  return personas.find((persona) => personaKey(persona.name) === personaKey(name)) ?? null;
}

/** Returns the persona that speaks by default; null if that is the bot itself. */
export function personaInUse(own: StoredSettings, parent: StoredSettings): Persona | null {
  const name = own[IN_USE] ?? parent[IN_USE] ?? "";
  return name === "" ? null : findPersona(readPersonas(own, parent), name);
}

const readPersona = (text: string): Persona | null => stored().safeParse(parseJson(text)).data ?? null;
