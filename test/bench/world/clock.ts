// One clock for every process of a measurement: the machine's own, which all of them read alike.

/** Milliseconds since the machine started, with fractions. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;
