// Share 1 of the single deaths.
import { sweepSingleDeaths } from "./single-deaths.ts";

sweepSingleDeaths(0);
