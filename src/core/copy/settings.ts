// What people read about settings: which values apply, where they come from, and how they were changed.
import { REMOTE_SERVER } from "../access/connection-rpc.ts";
import { MESSAGE_CODE_POINTS } from "../limits.ts";
import { withAsManyAsFit } from "../markdown/as-many-as-fit.ts";
import { codePoints, cutText } from "../markdown/code-points.ts";
import { person } from "./notices.ts";

/** Says that a setting does not exist; `keys` are those that do. */
export const unknownSettingText = (key: string, keys: readonly string[]): string =>
  `There is no setting \`${cutText(key, 40)}\`. Choose one of: ${keys.join(", ")}.`;

/** Says that the setting can't have this value. `must` is one of `valueRules`; `choices` are for rules that don't name them. */
export const badValueText = (key: string, must: string, choices: readonly string[]): string =>
  `\`${key}\` must be ${must}${choices.length > 0 ? ` (${choices.join(", ")})` : ""}.`;

/** Says why a channel can't be the thought log. */
export function thoughtLogRefusal(why: "hidden" | "elsewhere" | "closed" | "unchecked"): string {
  switch (why) {
    case "hidden":
      return "`thought_log_channel` must be a channel that you can see yourself.";
    case "elsewhere":
      return "`thought_log_channel` must be a text channel of this server.";
    case "closed":
    case "unchecked":
      return "I could not check whether you can see that channel. Give me access to it too. Then use `/config set` again.";
  }
}

/** A setting as people see it. `text`: null means that nothing is set. */
export interface ShownSetting {
  key: string;
  text: string | null;
  source: Source;
  /** Values of wider scopes that apply as well. */
  also?: { text: string; source: Source }[];
  /** The value of a narrower scope that does not apply, because it would loosen this one. */
  tooLoose?: { text: string; source: Source };
}

type Source = "here" | "parent" | "server" | "default";

/** Where a setting's value comes from, in words. */
export const SOURCES = {
  here: "set here",
  parent: "from the parent channel",
  server: "from the server",
  default: "default",
} as const;

/** How much of a value is shown: a prompt may be long. */
const SHOWN_CODE_POINTS = 80;
const SHORTER_CODE_POINTS = [40, 20, 10];

/** Lists all settings, one line each: the value that applies, and where it comes from. Fits into one message. */
export function settingsText(settings: readonly ShownSetting[]): string {
  const within = (limit: number) => settings.map((setting) => settingLine(setting, limit)).join("\n");
  const whole = within(SHOWN_CODE_POINTS);
  return [whole, ...SHORTER_CODE_POINTS.map(within)].find((text) => codePoints(text) <= MESSAGE_CODE_POINTS) ?? whole;
}

/** Shows the value that applies after a change. */
export const settingChangedText = (setting: ShownSetting): string => `Now set to: ${settingLine(setting)}`;

/** Writes the line below a limit in dollars if the prices of these models are not known. */
export const unpricedText = (ids: readonly string[]): string =>
  `-# Price not known: ${ids.map((id) => `\`${id}\``).join(", ")}. Such answers count only where the provider says what they cost.`;

/** Says what was set for a server (null: cleared), and which value applies in this channel. */
export function serverSettingText(
  { key, text }: { key: string; text: string | null },
  here: ShownSetting | null,
): string {
  return [
    text === null ? `Cleared for this server: \`${key}\`.` : `Set for this server: \`${key}\`: ${shown(key, text)}`,
    ...(here ? [`In this channel now: ${settingLine(here)}`] : []),
    "-# Other channels follow within a minute.",
  ].join("\n");
}

/** A recorded change; `at` is in epoch milliseconds. `by` is null if the person had their id deleted. */
export interface ShownChange {
  at: number;
  by: string | null;
  key: string;
  old: string | null;
  new: string | null;
}

const SHOWN_IN_HISTORY = 30;
/** How many characters of a remote server are shown: a manager must see its whole name and address, as far as they are recorded. */
const SHOWN_OF_SERVER = 200;

/** Lists the latest changes, newest first, as many as fit into one message. */
export function settingHistoryText(changes: readonly ShownChange[]): string {
  if (changes.length === 0) return "No setting has been changed yet.";
  const lines = changes.map(changeLine);
  return withAsManyAsFit(lines.length, (shown) => {
    const hidden = lines.length - shown;
    return [...lines.slice(0, shown), ...(hidden > 0 ? [`-# … and ${hidden} earlier.`] : [])].join("\n");
  });
}

function changeLine({ at, by, key, old, new: changed }: ShownChange): string {
  const most = key === REMOTE_SERVER ? SHOWN_OF_SERVER : SHOWN_IN_HISTORY;
  return `<t:${Math.floor(at / 1000)}:f> ${person(by ?? "")}: \`${key}\` from ${shown(key, old, most)} to ${shown(key, changed, most)}`;
}

/** A model as people see it, with its price in dollars per million tokens. */
export interface ShownModel {
  id: string;
  model: string;
  price?: { input: number; cachedInput?: number | undefined; cacheWrite?: number | undefined; output: number };
}

/** Lists the models that may be chosen and marks the one that is tried first. `chosen`: null if none was chosen, so it's the first. */
export function modelsText(models: readonly ShownModel[], chosen: string | null): string {
  const used = models.find(({ id }) => id === chosen) ?? models[0];
  return [
    ...models.map((model) => modelLine(model, model === used)),
    "-# Prices are in US dollars per million tokens. If a model fails, the next one is tried.",
  ].join("\n");
}

function modelLine({ id, model, price }: ShownModel, isUsed: boolean): string {
  const cached = price?.cachedInput === undefined ? [] : [`$${price.cachedInput} cached`];
  const written = price?.cacheWrite === undefined ? [] : [`$${price.cacheWrite} written to the cache`];
  const rates = [...cached, ...written].join(", ");
  const cost = price
    ? `$${price.input}${rates === "" ? "" : ` (${rates})`} in, $${price.output} out`
    : "price not known";
  return `- \`${id}\` (${model}): ${cost}${isUsed ? ", **in use here**" : ""}`;
}

function settingLine({ key, text, source, also = [], tooLoose }: ShownSetting, limit = SHOWN_CODE_POINTS): string {
  const scoped = (one: { text: string | null; source: Source }) =>
    `${shown(key, one.text, limit)} (${SOURCES[one.source]})`;
  const line = `\`${key}\`: ${[{ text, source }, ...also].map(scoped).join(" and ")}`;
  return tooLoose ? `${line}; ${scoped(tooLoose)} is looser, so it is ignored` : line;
}

/** What makes Discord show the ids in a setting's value as names, by the end of its key. */
const SIGNS: Readonly<Record<string, string>> = { users: "@", roles: "@&", approvers: "@&", channel: "#" };
const MENTION_CODE_POINTS = 24;

function shown(key: string, text: string | null, limit = SHOWN_CODE_POINTS): string {
  if (text === null) return "not set";
  // A bare `0` would read as if nothing were allowed.
  if (text === "0" && key.includes("_per_")) return "`0`, no limit";
  const sign = SIGNS[key.split("_").at(-1) ?? ""];
  const ids = sign ? (text.match(/\d{15,}/g) ?? []) : [];
  const fitting = ids.slice(0, Math.ceil(limit / MENTION_CODE_POINTS)).map((id) => `<${sign}${id}>`);
  if (fitting.length > 0) return fitting.join(" ") + (fitting.length < ids.length ? " …" : "");
  const line = text.replace(/\s+/g, " ").replaceAll("`", "'");
  return `\`${codePoints(line) > limit ? `${cutText(line, limit - 1)}…` : line}\``;
}
