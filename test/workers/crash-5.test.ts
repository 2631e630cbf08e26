// Share 5 of the single deaths.
import { sweepSingleDeaths } from "./single-deaths.ts";

sweepSingleDeaths(4);
