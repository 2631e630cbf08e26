// The personas that hold in this object's channel: its own and its parent's.
import { changePersonas, type PersonaChange, personaInUse, readPersonas } from "../../src/channel/personas.ts";
import type { PersonaAnswer, PersonaList } from "../../src/discord/answers/channel-port.ts";
import type { ChannelParts } from "../parts.ts";

type Parts = Pick<ChannelParts, "store">;

/** Who there is, and who of them answers when nobody is named. */
export function personasHere({ store }: Parts): PersonaList {
  const own = store.settings();
  const parent = store.parentSettings();
  return { personas: readPersonas(own, parent), inUse: personaInUse(own, parent)?.name ?? null };
}

/** Carries out a change, within the caller's transaction. */
export function changePersonasHere({ store }: Parts, change: PersonaChange): PersonaAnswer {
  const changed = changePersonas(store.settings(), store.parentSettings(), change);
  if (!changed.ok) return changed;
  for (const [key, value] of Object.entries(changed.write)) store.putSetting(key, value);
  return { ok: true, persona: changed.persona };
}
