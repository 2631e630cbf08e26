// The personas available in this channel: its own and its parent's.
import { changePersonas, type PersonaChange, personaInUse, readPersonas } from "../../src/channel/personas.ts";
import type { PersonaAnswer, PersonaList } from "../../src/discord/answers/channel-port.ts";
import type { ChannelPorts } from "../channel-ports.ts";

type SettingsPorts = Pick<ChannelPorts, "store">;

/** Lists the personas, and which one answers by default. */
export function effectivePersonas({ store }: SettingsPorts): PersonaList {
  const own = store.settings();
  const parent = store.parentSettings();
  return { personas: readPersonas(own, parent), inUse: personaInUse(own, parent)?.name ?? null };
}

/** Changes the personas, within the caller's transaction. An invalid change is refused with its rule and changes nothing. */
export function changeChannelPersonas({ store }: SettingsPorts, change: PersonaChange): PersonaAnswer {
  const changed = changePersonas(store.settings(), store.parentSettings(), change);
  if (!changed.ok) return changed;
  for (const [key, value] of Object.entries(changed.write)) store.putSetting(key, value);
  return { ok: true, persona: changed.persona && { name: changed.persona.name } };
}
