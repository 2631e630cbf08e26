// Writes durations in words.

/** Writes a duration as people say it. */
export const seconds = (ms: number) => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

/** Writes how long ago a moment was, or how far off it is (epoch milliseconds). Discord keeps it current, so no edit is needed. */
export const fromNow = (at: number): string => `<t:${Math.floor(at / 1000)}:R>`;
