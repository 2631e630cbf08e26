// What people read of the values that settings may have. The values are texts already; how they are read is in src/channel.
import { cutText } from "../markdown/code-points.ts";

/** What a value must be: ends the sentence "`key` must be …". */
export const valueRules = {
  oneOf: (values: readonly string[]) => `one of ${values.join(", ")}`,
  yesOrNo: "true or false",
  whole: (min: number, max: number) => `a whole number from ${min} to ${max}`,
  dollars: (max: number) => `an amount in dollars from 0 to ${max}, with at most 6 decimals`,
  prose: (max: number) => `1 to ${max} characters long`,
  modelName: "one of the configured models",
  channel: (none: string) => `a channel (a mention or an ID) or ${none}`,
  listOf: (max: number, what: "roles" | "people", none: string) =>
    `a list of at most ${max} ${what} (mentions or IDs) or ${none}`,
} as const;

/** A setting that there is not; `keys` are those that there are. */
export const unknownSettingText = (key: string, keys: readonly string[]): string =>
  `There is no setting \`${cutText(key, 40)}\`. Choose one of: ${keys.join(", ")}.`;

/** A value that the setting can't have. `must` is one of the rules above; `choices` are named where they are not part of it. */
export const badValueText = (key: string, must: string, choices: readonly string[]): string =>
  `\`${key}\` must be ${must}${choices.length > 0 ? ` (${choices.join(", ")})` : ""}.`;

/** Why a channel can't be the one for thoughts. */
export function thoughtLogRefusal(why: "hidden" | "elsewhere" | "unchecked"): string {
  switch (why) {
    case "hidden":
      return "`thought_log_channel` must be a channel that you can see yourself.";
    case "elsewhere":
      return "`thought_log_channel` must be a channel of this server.";
    case "unchecked":
      return "I could not check whether you can see that channel. Give me access to it too. Then use `/config set` again.";
  }
}
