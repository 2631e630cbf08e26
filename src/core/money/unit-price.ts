// What a picture and a sound cost by the price of one picture or of a minute (US dollars), in micro-dollars. Before a call this is an
// estimate; a provider may report another cost after it. Pure.
import { DOLLAR } from "./price.ts";

/** A minute of speech has this many bytes at least: where nobody says how long a sound is, it counts as longer rather than as shorter. */
const BYTES_PER_SECOND = 3000;

/** The cost of one picture. */
export const pictureCost = (usdPerPicture: number): number => Math.round(usdPerPicture * DOLLAR);

/** The cost of one sound in micro-dollars: by its length, or where none is given that can be true, by its size in bytes. */
export const soundCost = (
  usdPerMinute: number,
  { seconds = 0, size }: { seconds?: number | undefined; size: number },
) => Math.ceil((usdPerMinute * DOLLAR * (seconds > 0 && seconds < 86_400 ? seconds : size / BYTES_PER_SECOND)) / 60);
