// Reads the gateway's state from its object, at most every ten seconds: /health is open to everyone, and must neither wait long for the object
// nor wake it each time.
import type { GatewayStatus, SeenGatewayStatus } from "../../core/state/gateway-status.ts";
import { findUsedUp } from "./day-allowance.ts";
import { type After, inTime } from "./in-time.ts";

/** What the watch needs. */
export interface GatewayWatchPorts {
  /** Whether `DISCORD_GATEWAY` is on. */
  hasGateway: boolean;
  /** Asks the object. May reject, and may never answer. */
  gatewayStatus: () => Promise<GatewayStatus>;
  now: () => number;
  after: After;
}

const SEEN_LIFE_MS = 10_000;
const ANSWER_MS = 1000;

/** Creates an isolate's watch. The returned function never rejects. */
export function createGatewayWatch({ hasGateway, gatewayStatus, now, after }: GatewayWatchPorts) {
  let seen: { at: number; status: Promise<SeenGatewayStatus>; isKnown: boolean } | null = null;
  const unknown = () => "unknown" as const;
  const failed = (error: unknown): SeenGatewayStatus => {
    const usedUp = findUsedUp(error);
    return usedUp === null ? "unknown" : { usedUp };
  };
  const begin = () => {
    const status = inTime<SeenGatewayStatus>(after, ANSWER_MS, gatewayStatus, unknown).catch(failed);
    const begun = { at: now(), status, isKnown: false };
    void status.then(() => {
      begun.isKnown = true;
    });
    return begun;
  };
  return (): Promise<SeenGatewayStatus> => {
    if (!hasGateway) return Promise.resolve("off");
    // A status from the future was read before the clock was set back.
    if (!seen || Math.abs(now() - seen.at) >= (seen.isKnown ? SEEN_LIFE_MS : ANSWER_MS)) seen = begin();
    const { status } = seen;
    // The promise belongs to the request that began it: if that one is canceled, it never settles, and its time limit never fires.
    return inTime<SeenGatewayStatus>(after, ANSWER_MS, () => status, unknown);
  };
}
