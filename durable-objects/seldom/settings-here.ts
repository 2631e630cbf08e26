// Reads and changes what /config and /persona show of this channel. A change also sets the alarm, and plans to erase storage that became empty.

import { answerOnce } from "../../src/channel/answer-once.ts";
import type { PersonaChange } from "../../src/channel/change-personas.ts";
import { type ExplainedSetting, explainSettings } from "../../src/channel/explain-settings.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import type { PlaceNotes } from "../../src/core/state/rpc.ts";
import type { PersonaAnswer, SettingAnswer, SettingChange } from "../../src/discord/answers/channel-port.ts";
import type { Channel } from "../live-channel.ts";
import { noteHere, rearm } from "../schedule/rearm.ts";
import { changeChannelPersonas } from "../settings/change-personas.ts";
import { changeCheckedSetting, ruleAgainst } from "../settings/change-setting.ts";
import { settingsInput } from "../settings/effective-settings.ts";
import { planErasure } from "../upkeep/retention.ts";

/** Returns each setting's value here and where it comes from. */
export function explainHere(channel: Channel, said: PlaceNotes): ExplainedSetting[] {
  noteHere(channel, said);
  return explainSettings(settingsInput(channel.ports));
}

/** Returns the rule that a change breaks, here or for the server, or null. Changes nothing that is stored. */
export async function checkHere(channel: Channel, change: SettingChange): Promise<string | null> {
  forgetClosed(channel, change);
  return ruleAgainst(channel.ports, change);
}

/** Drops the note that the thought channel is closed to the bot: whoever sets the channel expects thoughts there from now on. */
function forgetClosed({ hearing }: Channel, { key }: SettingChange): void {
  if (key === "thought_log_channel") hearing.thoughtsClosed = null;
}

/** Sets one setting, or clears it with null. An invalid value is refused with its rule, and the old value stays. */
export async function changeHere(channel: Channel, change: SettingChange): Promise<SettingAnswer> {
  forgetClosed(channel, change);
  const answer = await changeCheckedSetting(channel.ports, change);
  rearm(channel);
  planErasure(channel);
  return answer;
}

/** Changes the personas. An invalid change is refused with its rule, and nothing changes. Repeating an interaction returns the same answer. */
export function changePersonasHere(
  channel: Channel,
  change: PersonaChange,
  parentSettings?: StoredSettings,
  interactionId?: string,
): PersonaAnswer {
  const { ports } = channel;
  noteHere(channel, { parentSettings });
  const answer = answerOnce(ports.store, interactionId, () => changeChannelPersonas(ports, change));
  planErasure(channel);
  return answer;
}
