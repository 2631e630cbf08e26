// Share 2 of the whole crash sweep.
import { sweepPairs } from "./pairs.ts";

sweepPairs(1);
