// What the gateway is doing, asked of its object at most every ten seconds: /health is open to everyone, and must neither wait for the
// object nor wake it each time.
import type { GatewayStatus, SeenGatewayStatus } from "../../core/state/gateway-status.ts";

/** What the watch needs. */
export interface GatewayWatchPorts {
  /** `DISCORD_GATEWAY` is on. */
  hasGateway: boolean;
  /** Asks the object. May reject, and may never answer. */
  gatewayStatus: () => Promise<GatewayStatus>;
  now: () => number;
  after: (ms: number, callback: () => void) => () => void;
}

const SEEN_LIFE_MS = 10_000;
const ANSWER_MS = 1000;

/** Makes an isolate's watch. What it returns never rejects. */
export function createGatewayWatch({ hasGateway, gatewayStatus, now, after }: GatewayWatchPorts) {
  let seen: { at: number; status: Promise<SeenGatewayStatus> } | null = null;
  const ask = (): Promise<SeenGatewayStatus> =>
    new Promise((resolve) => {
      const cancel = after(ANSWER_MS, () => resolve("unknown"));
      const done = (status: SeenGatewayStatus) => {
        cancel();
        resolve(status);
      };
      // A stub may throw at once.
      Promise.resolve()
        .then(gatewayStatus)
        .then(done, () => done("unknown"));
    });
  return (): Promise<SeenGatewayStatus> => {
    if (!hasGateway) return Promise.resolve("off");
    if (seen === null || now() >= seen.at + SEEN_LIFE_MS) seen = { at: now(), status: ask() };
    return seen.status;
  };
}
