// How a stream says that the local world has cut it because somebody asked for that. Whoever reads the log can tell it from a crash.

/** Part of the message of every such error, and of no other. */
export const CUT_ON_PURPOSE = "was cut on purpose";

/** The error. `what` was cut. */
export const cutOnPurpose = (what: string): Error => new Error(`${what} ${CUT_ON_PURPOSE}.`);
