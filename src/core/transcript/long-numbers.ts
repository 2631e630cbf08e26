// Keeps the digits of numbers in JSON that JavaScript can't represent exactly, as text.

/**
 * A reviver for `JSON.parse`: keeps an integer past 2^53, such as one of Discord's ids, as it was written, and also a number that would be
 * infinite, which JSON can't express. The third argument has a scalar's source text, in workerd and in Node from version 22.
 */
export const keepDigits = (_key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  source &&
  ((/^-?\d+$/.test(source) && !Number.isSafeInteger(value)) ||
    value === Number.POSITIVE_INFINITY ||
    value === Number.NEGATIVE_INFINITY)
    ? source
    : value;
