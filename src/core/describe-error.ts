// What a log says of something that was thrown.

/** Where it came from and what it says. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
