// Finds the personas available in this channel: its own and its parent's.
import { personaInUse, readPersonas } from "../../src/channel/personas.ts";
import type { PersonaList } from "../../src/discord/answers/channel-port.ts";
import type { ChannelPorts } from "../channel-ports.ts";

type SettingsPorts = Pick<ChannelPorts, "store">;

/** Lists the personas, and which one answers by default. */
export function effectivePersonas({ store }: SettingsPorts): PersonaList {
  const own = store.settings();
  const parent = store.parentSettings();
  return { personas: readPersonas(own, parent), inUse: personaInUse(own, parent)?.name ?? null };
}
