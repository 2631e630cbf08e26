// Where a JSON list in a variable breaks its form.

/** The entry and its field in words, from the path to it; `whole` says what is wrong where it is no list at all. */
export function wrongEntry([index, ...fields]: readonly PropertyKey[], whole: string): string {
  if (index === undefined) return whole;
  return `${fields.length > 0 ? `${fields.join(".")} of ` : ""}entry ${Number(index) + 1} is missing or wrong`;
}
