// Share 1 of the whole fault sweep.
import { sweepFaults } from "./every-fault.ts";

sweepFaults(0);
