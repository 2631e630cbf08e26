// Numbers in JSON that a program can't hold exactly: they keep their digits, as text.

/**
 * A reviver for `JSON.parse`: an integer past 2^53, such as one of Discord's ids, stays what was written, and so does a number that would be
 * infinite, for which JSON has no word. The third argument has the source text of a scalar, in workerd and in Node from version 22.
 */
export const keepDigits = (_key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  source &&
  ((/^-?\d+$/.test(source) && !Number.isSafeInteger(value)) ||
    value === Number.POSITIVE_INFINITY ||
    value === Number.NEGATIVE_INFINITY)
    ? source
    : value;
