// The whole context of a call out of the part that a caller gave.

import type { ToolContext } from "../define/tool.ts";
import type { PlatformPorts } from "./runtime-ports.ts";

/** What a caller may give of a context; `now` also as a date. Fields of its own reach the tool as they are. */
export type CallContext = Partial<Omit<ToolContext, "now">> & { now?: number | Date };

/** Fills in what is missing. An undefined field never takes the place of a default. */
export function buildCallContext(given: CallContext, callId: string, { clock, random }: PlatformPorts): ToolContext {
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
    now: said.now === undefined ? clock() : Number(said.now),
  };
}
