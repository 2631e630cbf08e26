// The personas that hold in this object's channel: its own and its parent's.
import { changePersonas, type PersonaChange, personaInUse, readPersonas } from "../../src/channel/personas.ts";
import type { PersonaAnswer, PersonaList } from "../../src/discord/answers/channel-port.ts";
import type { ChannelPorts } from "../channel-ports.ts";

type SettingsPorts = Pick<ChannelPorts, "store">;

/** Who there is, and who of them answers when nobody is named. */
export function effectivePersonas({ store }: SettingsPorts): PersonaList {
  const own = store.settings();
  const parent = store.parentSettings();
  return { personas: readPersonas(own, parent), inUse: personaInUse(own, parent)?.name ?? null };
}

/** Carries out a change, within the caller's transaction. */
export function changeChannelPersonas({ store }: SettingsPorts, change: PersonaChange): PersonaAnswer {
  const changed = changePersonas(store.settings(), store.parentSettings(), change);
  if (!changed.ok) return changed;
  for (const [key, value] of Object.entries(changed.write)) store.putSetting(key, value);
  return { ok: true, persona: changed.persona };
}
