// Says where a JSON list in a variable is malformed.

/** Describes the entry and its field, given the path to it; `whole` says what is wrong if it isn't a list at all. */
export function wrongEntry([index, ...fields]: readonly PropertyKey[], whole: string): string {
  if (index === undefined) return whole;
  return `${fields.length > 0 ? `${fields.join(".")} of ` : ""}entry ${Number(index) + 1} is missing or wrong`;
}
