// Variables that are one of a few words.

/** The word, whatever its case; null when the variable is not set, or is none of the words: that adds a problem. */
export function readChoice<Word extends string>(
  name: string,
  text: string | null,
  words: readonly Word[],
  problems: string[],
): Word | null {
  const found = text?.toLowerCase();
  const known = words.find((word) => word === found) ?? null;
  if (text !== null && known === null) problems.push(`${name} is not one of ${words.join(", ")}`);
  return known;
}
