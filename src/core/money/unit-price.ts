// Computes the cost of a picture or a sound in micro-dollars, from the price of one picture or one minute in US dollars. Before a call this
// is an estimate; the provider may report a different cost afterward. Pure.
import { DOLLAR } from "./price.ts";

/** A second of speech has at least this many bytes, so a sound of unknown length counts as too long rather than too short. */
const BYTES_PER_SECOND = 3000;

/** Returns the cost of one picture in micro-dollars. */
export const pictureCost = (usdPerPicture: number): number => Math.round(usdPerPicture * DOLLAR);

/** Returns the cost of one sound in micro-dollars: by its length, or if no plausible length is given, by its size in bytes. */
export const soundCost = (
  usdPerMinute: number,
  { seconds = 0, size }: { seconds?: number | undefined; size: number },
) => Math.ceil((usdPerMinute * DOLLAR * (seconds > 0 && seconds < 86_400 ? seconds : size / BYTES_PER_SECOND)) / 60);
