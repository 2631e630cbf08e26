// Words for counts in the panel.

/** Returns `1 message`, `2 messages`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Returns `once`, `3 times`. */
export const howOften = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** Returns the title of a list: `The newest request`, `The newest 2 requests`. */
export const newestRequests = (count: number): string =>
  count === 1 ? "The newest request" : `The newest ${count} requests`;
