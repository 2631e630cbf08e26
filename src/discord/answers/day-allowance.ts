// Recognizes that the daily allowance of Cloudflare's free plan is used up. Then no object answers until 00:00 UTC.

/** The error that Cloudflare throws then. It names what is used up: duration, rows written and others. */
const USED_UP = /Exceeded allowed [\w ]+ in Durable Objects free tier/;

/** Returns what is used up, in Cloudflare's words; null for any other error. */
export const findUsedUp = (error: unknown): string | null => USED_UP.exec(String(error))?.[0] ?? null;
