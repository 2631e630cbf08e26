// What people read about the values that settings may have. The values are text already; src/channel reads them.

/** What a value must be: completes the sentence "`key` must be …". */
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
