// The error of a stream that the local world cuts because somebody asked for it. In the log it can be told from a crash.

/** Part of the message of each of these errors, and of no other error. */
export const CUT_ON_PURPOSE = "was cut on purpose";

/** Creates the error. `what`: what was cut. */
export const cutOnPurpose = (what: string): Error => new Error(`${what} ${CUT_ON_PURPOSE}.`);
