// Stores changes of a channel's personas.
import { changePersonas, type PersonaChange } from "../../src/channel/change-personas.ts";
import type { PersonaAnswer } from "../../src/discord/answers/channel-port.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** Changes the personas, within the caller's transaction. An invalid change is refused with its rule and changes nothing. */
export function changeChannelPersonas({ store }: Pick<ChannelPorts, "store">, change: PersonaChange): PersonaAnswer {
  const changed = changePersonas(store.settings(), store.parentSettings(), change);
  if (!changed.ok) return changed;
  for (const [key, value] of Object.entries(changed.write)) store.putSetting(key, value);
  return { ok: true, persona: changed.persona && { name: changed.persona.name } };
}
