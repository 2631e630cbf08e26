// Reads variables whose value is one of a few words.

/** Returns the word, ignoring case; null if the variable is not set or is none of the words, which adds a problem. */
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
