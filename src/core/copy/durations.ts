// Lengths of time in words.

/** A length of time as people say it. */
export const seconds = (ms: number) => (ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`);

/** How long ago a moment was, or how far off it is (epoch milliseconds). Discord counts on by itself, so no edit is needed. */
export const fromNow = (at: number): string => `<t:${Math.floor(at / 1000)}:R>`;
