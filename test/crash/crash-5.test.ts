// Share 5 of the whole crash sweep.
import { sweepPairs } from "./pairs.ts";

sweepPairs(4);
