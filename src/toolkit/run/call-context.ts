// Completes the context of a call from the part that the caller gave.

import type { ToolContext } from "../define/tool.ts";
import type { PlatformPorts } from "./runtime-ports.ts";
import type { Scrubber } from "./scrub.ts";
import { cut } from "./tool-outcome.ts";

/** What a caller may give as a context; `now` may also be a date. Extra fields reach the tool unchanged. */
export type CallContext = Partial<Omit<ToolContext, "now" | "beginning">> & { now?: number | Date };

/** Fills in what is missing. An undefined field never replaces a default. */
export function buildCallContext(
  given: CallContext,
  callId: string,
  { clock, random }: PlatformPorts,
  scrub: Scrubber,
): ToolContext {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as CallContext;
  const turnId = said.turnId ?? "";
  return {
    signal: new AbortController().signal,
    random,
    log: () => {},
    channelId: "",
    guildId: null,
    userId: "",
    locale: "en-US",
    turnId,
    callId,
    attempt: 1,
    idempotencyKey: `${turnId}:${said.callId ?? callId}`,
    ...said,
    beginning: (text, chars) => cut(text, chars, scrub),
    now: said.now === undefined ? clock() : Number(said.now),
  };
}
