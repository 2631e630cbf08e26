// /config: shows, sets and clears a channel's settings. The rules for values belong to the settings; this file checks only what
// this channel or this installation can't support.
import { isSettingKey, settingKeys, settingRules } from "../../channel/settings.ts";
import { say } from "../../core/copy/notices.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { settingChangedText, settingsText } from "../../core/copy/settings.ts";
import type { Typing } from "../interactions/invocation.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, inherited, reach, type SettingAnswer } from "./channel-port.ts";

/** Shows every setting, its value and where that comes from. */
export async function showConfig(actor: Actor, ports: AnswerPorts): Promise<object> {
  const settings = await reach(actor, ports, "explain", async (channel) =>
    channel.explain((await inherited(actor, ports)).parentSettings),
  );
  return privately(settings ? settingsText(settings) : UNAVAILABLE);
}

/** Sets one setting, or says which rule the value breaks. */
export async function setConfig(actor: Actor, key: string, value: string, ports: AnswerPorts): Promise<object> {
  const refusal = refusalHere(actor, key, ports);
  if (refusal !== null) return privately(refusal);
  return answered(await change(actor, key, value, ports));
}

/** Clears one setting, so that the parent's value or the default applies again. */
export async function clearConfig(actor: Actor, key: string, ports: AnswerPorts): Promise<object> {
  return answered(await change(actor, key, null, ports));
}

/** Suggests the names of the settings; for a value, those that suit the setting named so far. */
export function suggestSetting({ option, others }: Typing, { modelIds }: AnswerPorts): readonly string[] {
  if (option === "key") return settingKeys;
  const key = others.key ?? "";
  if (key === "model") return modelIds;
  return isSettingKey(key) ? settingRules[key].suggestions : [];
}

/** The reason why a setting would have no effect here, or null. */
function refusalHere({ installContext }: Actor, key: string, { hasBotToken }: AnswerPorts): string | null {
  if (!isSettingKey(key) || !settingRules[key].serverOnly) return null;
  if (installContext.kind !== "server") return say.settingNeedsServer(key);
  if (key !== "thought_log_channel") return null;
  if (!hasBotToken) return say.settingNeedsBotToken(key);
  return installContext.isMember ? null : say.settingNeedsMembership(key);
}

const change = (actor: Actor, key: string, value: string | null, ports: AnswerPorts): Promise<SettingAnswer | null> =>
  reach(actor, ports, "change", async (channel) =>
    channel.change({
      key,
      value,
      ...(key === "thought_log_channel" && { by: { userId: actor.userId, guildId: actor.guildId } }),
      ...(await inherited(actor, ports)),
    }),
  );

const answered = (answer: SettingAnswer | null): object =>
  privately(
    answer === null ? UNAVAILABLE : answer.ok ? settingChangedText(answer.now) : say.settingRefused(answer.rule),
  );
