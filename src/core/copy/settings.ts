// What people read of a channel's settings: what each does, what its values may be, and what applies. The values are texts
// already; how they are read is in src/channel.

/** What each setting does. */
export const settingSentences = {
  model: "The model that answers here; the others stand in when it fails.",
  system_prompt: "What the model is told before it answers.",
  follow_up: "What your next message does while your answer is written: interrupt it, wait, or join it.",
  kill_policy: "Who may stop somebody else's answer.",
  thought_log_channel: "Where the model's reasoning and quiet failures are posted.",
  private: "Keeps this channel and its threads out of the thought log.",
  notices: "Small progress lines below an answer. Errors always show.",
  link_previews: "Lets Discord unfold the links of an answer.",
  max_messages: "Messages that one answer may take; a longer one is attached as a file.",
  user_turns_per_day: "Answers that one person may ask for here in a day (UTC); 0 is no limit.",
  user_tokens_per_day: "Tokens that one person may use here in a day (UTC); 0 is no limit.",
  channel_turns_per_day: "Answers that may be asked for here in a day (UTC); 0 is no limit.",
  channel_tokens_per_day: "Tokens that may be used here in a day (UTC); 0 is no limit.",
  allow_roles: "If set, only these roles (and the people of allow_users) may ask.",
  allow_users: "If set, only these people (and the roles of allow_roles) may ask.",
  deny_roles: "These roles may not ask, whatever else holds.",
  deny_users: "These people may not ask, whatever else holds.",
} as const;

/** What a value must be: ends the sentence "`key` must be …". */
export const valueRules = {
  oneOf: (values: readonly string[]) => `one of ${values.join(", ")}`,
  yesOrNo: "true or false",
  whole: (min: number, max: number) => `a whole number from ${min} to ${max}`,
  prose: (max: number) => `a text of 1 to ${max} characters`,
  modelName: "one of the configured models",
  channel: (none: string) => `a channel (as a mention or by its id), or ${none}`,
  listOf: (max: number, what: "roles" | "people", none: string) =>
    `a list of at most ${max} ${what} (as mentions or by their ids), or ${none}`,
} as const;

/** A setting that there is not; `keys` are those that there are. */
export const unknownSettingText = (key: string, keys: readonly string[]): string =>
  `There is no setting \`${key.slice(0, 40)}\`: ${keys.join(", ")}.`;

/** A value that the setting can't have. `must` is one of the rules above; `choices` are named where they are not part of it. */
export const badValueText = (key: string, must: string, choices: readonly string[]): string =>
  `\`${key}\` must be ${must}${choices.length > 0 ? ` (${choices.join(", ")})` : ""}.`;

/** A setting as it is told: null is "nothing set". */
export interface ShownSetting {
  key: string;
  text: string | null;
  source: "here" | "parent" | "default";
}

const SOURCES = { here: "set here", parent: "from the parent channel", default: "default" } as const;
/** A prompt may be long, and all settings go into one message. */
const SHOWN_CODE_POINTS = 80;

/** All settings, one line each: what holds, and where it comes from. */
export const settingsText = (settings: readonly ShownSetting[]): string => settings.map(settingLine).join("\n");

/** What holds after a change. */
export const settingChangedText = (setting: ShownSetting): string => `Now it holds: ${settingLine(setting)}`;

const settingLine = ({ key, text, source }: ShownSetting): string => `\`${key}\`: ${shown(text)} (${SOURCES[source]})`;

function shown(text: string | null): string {
  if (text === null) return "not set";
  const line = text.replace(/\s+/g, " ").replaceAll("`", "'");
  const letters = [...line];
  return `\`${letters.length > SHOWN_CODE_POINTS ? `${letters.slice(0, SHOWN_CODE_POINTS - 1).join("")}…` : line}\``;
}
