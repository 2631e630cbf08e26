// Interprets Discord's close codes (docs: topics/opcodes-and-status-codes, "Gateway Close Event Codes").
import type { GatewayRefusal } from "../core/state/gateway-status.ts";
import { RATE_LIMITED_WAIT_MS } from "./timings.ts";

/** `resume` keeps the session, `identify` begins a new one. `isOurFault`: we sent something wrong. */
export type CloseMeaning =
  | { next: "resume" | "identify"; waitMs: number; isOurFault: boolean }
  | { next: "refuse"; reason: GatewayRefusal };

/** Discord bans bots that reconnect after one of these. */
const REFUSED: Readonly<Record<number, GatewayRefusal>> = {
  4004: "bad_token",
  4010: "bad_shard",
  4011: "sharding_required",
  4012: "bad_version",
  4013: "bad_intents",
  4014: "disallowed_intents",
};
/** A normal close ends the session (discord.js identifies too). 4003 to 4009: not authenticated, authenticated twice, bad seq, timed out. */
const SESSION_IS_OVER = [1000, 4003, 4005, 4007, 4008, 4009];
/** Unknown opcode, undecodable payload, and everything else that says that we sent something wrong. */
const OUR_FAULTS = [4001, 4002, 4003, 4005, 4007, 4008];
const RATE_LIMITED = 4008;

/** Interprets one code. Any unlisted code, and no code at all (1005, 1006), is a lost connection. */
export function readCloseCode(code: number): CloseMeaning {
  const reason = REFUSED[code];
  if (reason) return { next: "refuse", reason };
  return {
    next: SESSION_IS_OVER.includes(code) ? "identify" : "resume",
    waitMs: code === RATE_LIMITED ? RATE_LIMITED_WAIT_MS : 0,
    isOurFault: OUR_FAULTS.includes(code),
  };
}
