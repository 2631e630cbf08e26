// Share 1 of the whole crash sweep.
import { sweepPairs } from "./pairs.ts";

sweepPairs(0);
