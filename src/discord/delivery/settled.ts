// How long nobody can be sure what became of a request to Discord.

/** A request that nobody answered may still have an effect so long after it was sent: whoever looks earlier may miss it. */
export const SETTLED_MS = 10_000;
