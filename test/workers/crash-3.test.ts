// Share 3 of the single deaths.
import { sweepSingleDeaths } from "./single-deaths.ts";

sweepSingleDeaths(2);
