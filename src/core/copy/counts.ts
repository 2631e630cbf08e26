// Writes counts in words.

/** Returns `1 message`, `2 messages`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
