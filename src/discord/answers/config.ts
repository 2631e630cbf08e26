// /config and /model: shows, sets and clears the settings of a channel or of its server. The rules for values belong to the settings; this file
// checks what is impossible in this place or installation, and what only the bot's owner may change here.
import type { ExplainedSetting } from "../../channel/explain-settings.ts";
import { isSettingKey, type SettingKey, settingKeys, settingRules } from "../../channel/settings.ts";
import { isModelFor } from "../../core/access/model-choice.ts";
import { changeText } from "../../core/copy/changes.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { settingMeanings } from "../../core/copy/setting-meanings.ts";
import {
  modelsText,
  serverSettingText,
  settingChangedText,
  settingHistoryText,
  settingsText,
  unpricedText,
} from "../../core/copy/settings.ts";
import type { Typing } from "../interactions/invocation.ts";
import type { Actor } from "../interactions/parse.ts";
import { type Choice, privately } from "../interactions/respond.ts";
import { type AnswerPorts, inherited, type OfferedModel, reach, scopeNote, surroundings } from "./channel-port.ts";
import { isServerInstall } from "./gate.ts";
import { newNote, noteKept, reachScope, scopeOf } from "./reach-scope.ts";

/** Where a setting is set: in this channel, or for its whole server. */
export type SettingScope = "here" | "server";

/** A setting to set, or with null to clear. */
interface Wanted {
  key: string;
  value: string | null;
  scope: SettingScope;
}

/** Shows every setting, its value and where that comes from. */
export async function showConfig(actor: Actor, ports: AnswerPorts): Promise<object> {
  const settings = await explain(actor, ports);
  return privately(settings ? settingsText(settings) : UNAVAILABLE);
}

/** Sets or clears one setting, or says which rule forbids it. May run twice for one interaction. */
export async function changeConfig(actor: Actor, ports: AnswerPorts, asked: Wanted): Promise<object> {
  const wanted = { ...asked, key: keyIn(asked.key) };
  const refusal = refusalHere(actor, ports, wanted);
  if (refusal !== null) return privately(refusal);
  return wanted.scope === "server" ? changeForServer(actor, ports, wanted) : changeHere(actor, ports, wanted);
}

/** Shows the last changes of this channel's settings, or of its server's. */
export async function showHistory(actor: Actor, ports: AnswerPorts, scope: SettingScope): Promise<object> {
  if (scope === "server" && !isServerInstall(actor)) return privately(changeText.noServerScope);
  const changes = await (scope === "here"
    ? reach(actor, ports, "history", (channel) => channel.history())
    : reachScope(scopeOf(actor), ports, (server) => server.history()));
  return privately(changes ? settingHistoryText(changes) : UNAVAILABLE);
}

/** Shows the models and which one answers here, or chooses one. */
export async function chooseModel(
  actor: Actor,
  ports: AnswerPorts,
  { name, scope }: { name: string | undefined; scope: SettingScope },
): Promise<object> {
  if (name !== undefined) return changeConfig(actor, ports, { key: "model", value: name, scope });
  const settings = await explain(actor, ports);
  if (!settings) return privately(UNAVAILABLE);
  return privately(modelsText(modelsFor(actor, ports), settings.find(({ key }) => key === "model")?.text ?? null));
}

/** Suggests the settings, each with its meaning; for a value, those that suit the setting that was chosen. */
export function suggestSetting(actor: Actor, ports: AnswerPorts, { option, others }: Typing): readonly Choice[] {
  if (option === "key") return settingKeys.map(describeKey);
  const key = keyIn(others.key ?? "");
  if (key === "model") return suggestModel(actor, ports);
  return isSettingKey(key) ? settingRules[key].suggestions : [];
}

/** A setting without a meaning does not compile. */
const MEANINGS: Readonly<Record<SettingKey, string>> = settingMeanings;
const describeKey = (key: SettingKey): Choice => ({ name: `${key}: ${MEANINGS[key]}`, value: key });

/** Returns the key. After a person has looked into another channel, Discord sends a choice's name instead of its value (discord-api-docs#7206). */
const keyIn = (typed: string): string => typed.replace(/:.*/s, "");

/** Suggests the models that may be chosen here. */
export const suggestModel = (actor: Actor, ports: AnswerPorts): readonly string[] =>
  modelsFor(actor, ports).map(({ id }) => id);

const modelsFor = ({ guildId }: Actor, { models }: AnswerPorts): OfferedModel[] =>
  models.filter((model) => isModelFor(model, guildId));

/** Adds a line after a limit in dollars if models without a price don't count toward it; 0 means no limit. */
function withPrices(text: string, actor: Actor, { key, value }: Wanted, ports: AnswerPorts): string {
  if (!isSettingKey(key) || !settingRules[key].inDollars || value === null) return text;
  const unpriced = modelsFor(actor, ports).flatMap(({ id, price }) => (price ? [] : [id]));
  const isLimit = settingRules[key].read(value.trim(), []) !== 0;
  return isLimit && unpriced.length > 0 ? `${text}\n${unpricedText(unpriced)}` : text;
}

/** Returns why this can't be changed here, or null. */
function refusalHere(actor: Actor, { hasBotToken, access }: AnswerPorts, { key, value, scope }: Wanted): string | null {
  if (scope === "server" && !isServerInstall(actor)) return changeText.noServerScope;
  if (!isSettingKey(key)) return null;
  const rule = settingRules[key];
  const isGuest = !isServerInstall(actor) && access.knowsOwners && !access.isOwner(actor.userId);
  if (rule.ownersOutside && isGuest) return changeText.settingNeedsOwner(key);
  if (value === null || !rule.serverOnly) return null;
  return refusalInPlace(actor, key, hasBotToken);
}

/** Returns why the setting would have no effect in this place, or null. */
function refusalInPlace({ installContext }: Actor, key: SettingKey, hasBotToken: boolean): string | null {
  if (installContext.kind !== "server") return changeText.settingNeedsServer(key);
  if (key !== "thought_log_channel") return null;
  if (!hasBotToken) return changeText.settingNeedsBotToken(key);
  return installContext.isMember ? null : changeText.settingNeedsMembership(key);
}

const explain = (
  actor: Actor,
  ports: AnswerPorts,
  note = scopeNote(ports).scope,
): Promise<ExplainedSetting[] | undefined> =>
  reach(actor, ports, "explain", async (channel) =>
    channel.explain((await inherited(actor, ports)).parentSettings, note),
  );

/** Changes this channel. Its history of settings names the person, so the change is made only if their scope has noted that. */
async function changeHere(actor: Actor, ports: AnswerPorts, wanted: Wanted): Promise<object> {
  const { key, value } = wanted;
  const { interactionId, userId, guildId } = actor;
  if (!(await noteKept(actor, ports))) return privately(UNAVAILABLE);
  const answer = await reach(actor, ports, "change", async (channel) =>
    channel.change({ interactionId, key, value, by: { userId, guildId }, ...(await surroundings(actor, ports)) }),
  );
  if (!answer) return privately(UNAVAILABLE);
  if (!answer.ok) return privately(changeText.settingRefused(answer.rule));
  return privately(withPrices(settingChangedText(answer.now), actor, wanted, ports));
}

/** Changes the whole server. This channel applies the change at once, the others when their copies expire, within a minute. */
async function changeForServer(actor: Actor, ports: AnswerPorts, wanted: Wanted): Promise<object> {
  const { key, value } = wanted;
  const { interactionId, userId, guildId } = actor;
  if (key === "thought_log_channel" && value !== null) {
    const rule = await reach(actor, ports, "checkSetting", (channel) =>
      channel.checkSetting({ key, value, by: { userId, guildId } }),
    );
    if (rule !== null) return privately(rule === undefined ? UNAVAILABLE : changeText.settingRefused(rule));
  }
  const answer = await reachScope(scopeOf(actor), ports, (server) =>
    server.changeSetting({ interactionId, key, value, by: userId }),
  );
  if (!answer) return privately(UNAVAILABLE);
  if (!answer.ok) return privately(changeText.settingRefused(answer.rule));
  const here = await explain(actor, ports, await newNote(actor, ports));
  const text = serverSettingText(answer, here?.find((one) => one.key === answer.key) ?? null);
  return privately(withPrices(text, actor, wanted, ports));
}
