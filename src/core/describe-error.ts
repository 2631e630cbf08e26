// Describes something that was thrown, for a log.

/** Returns the stack if there is one, else the message, or the value as text. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
