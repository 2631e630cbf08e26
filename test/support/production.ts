// What wrangler.toml asks of the runtime. Every runtime that a test or a benchmark starts by itself gets the same.
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
const readSetting = (name: string): string => new RegExp(`^${name} = (.+)$`, "m").exec(text)?.[1] ?? "";

/** The runtime's compatibility date. */
export const COMPATIBILITY_DATE = JSON.parse(readSetting("compatibility_date")) as string;
/** Its compatibility flags. */
export const COMPATIBILITY_FLAGS = JSON.parse(readSetting("compatibility_flags")) as string[];
