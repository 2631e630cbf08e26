// The context with which tests call tools.
import type { ToolContext } from "../../src/toolkit/define/tool.ts";

/** A context with the usual values, except those that a test changes. */
export const testContext = (over: Partial<ToolContext> = {}): ToolContext => ({
  now: Date.UTC(2030, 0, 1),
  signal: new AbortController().signal,
  random: () => 0,
  log: () => {},
  beginning: (text, chars) => text.slice(0, chars),
  channelId: "10",
  guildId: null,
  userId: "21",
  locale: "en-US",
  turnId: "1",
  callId: "call-0",
  attempt: 1,
  idempotencyKey: "1/call-0",
  ...over,
});
