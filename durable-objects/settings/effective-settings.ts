// Works out the settings that apply in this channel: its own, its parent's and its server's. The last two are stored as requests report
// them, so that work without a request (a queued turn, a reminder, a takeover) follows them too.
import { resolveSettings, type SettingsInput } from "../../src/channel/setting-scopes.ts";
import { changedAt, type Settings, type StoredSettings } from "../../src/channel/settings.ts";
import { isModelFor } from "../../src/core/access/model-choice.ts";
import { MAX_GUEST_MESSAGES } from "../../src/core/limits.ts";
import type { TurnRequest } from "../../src/core/state/record.ts";
import type { PlaceNotes, ScopeNote } from "../../src/core/state/rpc.ts";
import type { ChannelPorts } from "../channel-ports.ts";

const NOTHING_SET: StoredSettings = {};

type SettingsPorts = Pick<ChannelPorts, "store" | "config">;

/** Each store's settings as they were last worked out, and from which inputs. */
const resolved = new WeakMap<SettingsPorts["store"], { from: readonly object[]; settings: Settings }>();

/** Returns the settings that apply now. A turn asks about twenty times, so the result is reused while the stored inputs are the same objects. */
export function effectiveSettings(ports: SettingsPorts): Settings {
  const input = settingsInput(ports);
  const from = [ports.config, input.own, input.parent, input.server];
  const last = resolved.get(ports.store);
  if (last?.from.every((one, at) => one === from[at])) return last.settings;
  const settings = resolveSettings(input);
  resolved.set(ports.store, { from, settings });
  return settings;
}

/** The stored settings of this channel, its parent and its server, and the models to choose from. */
export const settingsInput = ({ store, config }: SettingsPorts): SettingsInput => ({
  own: store.settings(),
  parent: store.parentSettings(),
  server: store.scopeNote()?.settings ?? NOTHING_SET,
  modelIds: config.models.map(({ id }) => id),
});

/** How many messages the answer to this request may use here. */
export function maxMessagesPerReply(ports: SettingsPorts, { botIsHere, catchUp }: TurnRequest): number {
  // A second message would be visible to everyone.
  if (catchUp) return 1;
  const { max_messages } = effectiveSettings(ports);
  return botIsHere === false ? Math.min(max_messages, MAX_GUEST_MESSAGES) : max_messages;
}

/** Returns the models in the order in which this request tries them: the chosen one first, then the others that its server may use. */
export function orderedModels(
  ports: SettingsPorts & Pick<ChannelPorts, "models">,
  { guildId }: Pick<TurnRequest, "guildId">,
): ChannelPorts["models"] {
  const { models, config } = ports;
  const { model: chosen } = effectiveSettings(ports);
  const isUsable = (at: number) => isModelFor(config.models[at] ?? {}, guildId);
  const usable = models.filter((_, at) => isUsable(at));
  const wanted = models.find((_, at) => config.models[at]?.id === chosen && isUsable(at));
  const [first = models[0]] = wanted ? [wanted] : usable;
  return [first, ...usable.filter((one) => one !== first)];
}

/** Returns the model that summarizes here: that of `SUMMARY_MODEL` if this server may use it, else the last usable one; null if there is none. */
export function summaryModel(
  { models, config }: Pick<ChannelPorts, "models" | "config">,
  { guildId }: Pick<TurnRequest, "guildId">,
): ChannelPorts["models"][number] | null {
  const usable = models.flatMap((model, at) => {
    const known = config.models[at];
    return isModelFor(known ?? {}, guildId) ? [{ model, id: known?.id }] : [];
  });
  const wanted = usable.find(({ id }) => id !== undefined && id === config.summaryModel);
  return (wanted ?? usable.at(-1))?.model ?? null;
}

/** Stores the parent's settings, within the caller's transaction. Writes a row only when they have changed. */
export function noteParent({ store }: SettingsPorts, settings: StoredSettings | undefined): void {
  if (settings === undefined || isSame(settings, store.parentSettings())) return;
  const isKeptOtherwise = settings.keep_days !== store.parentSettings().keep_days;
  store.saveParentSettings(settings);
  if (isKeptOtherwise) replanRetention(store);
}

/**
 * Stores what this channel's scope says, within the caller's transaction. What a note leaves out stays. So do settings and lists that
 * are newer than the note's, because another endpoint may have read its copy before they were changed. Writes a row only when something has
 * changed.
 */
export function noteScope({ store }: SettingsPorts, said: ScopeNote | undefined): void {
  if (said === undefined) return;
  const known = store.scopeNote();
  const isOlder = known !== null && changedAt(said.settings) < changedAt(known.settings);
  const note = isOlder ? { ...known, isLimited: said.isLimited } : { ...known, ...said };
  if (known?.isLimited === note.isLimited && isSame(note.settings, known.settings) && haveSameLists(note, known))
    return;
  store.saveScopeNote(note);
  if (note.settings.keep_days !== known?.settings.keep_days) replanRetention(store);
}

/** Stores what a request says about the channel's parent and scope, within the caller's transaction. */
export function notePlace(ports: SettingsPorts, { parentSettings, scope }: PlaceNotes): void {
  noteParent(ports, parentSettings);
  noteScope(ports, scope);
}

/** Plans an early retention check, within the caller's transaction, because something may already be too old. */
export function replanRetention(store: ChannelPorts["store"]): void {
  const lock = store.lock();
  if (lock.retentionAt != null) store.saveLock({ ...lock, retentionAt: 0 });
}

const haveSameLists = (one: ScopeNote, other: ScopeNote): boolean =>
  (["leftOut", "withFacts"] as const).every((list) => (one[list] ?? []).join() === (other[list] ?? []).join());

const isSame = (one: StoredSettings, other: StoredSettings): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);
