// Says what the gateway is doing.
import type { GatewayStatus } from "../core/state/gateway-status.ts";
import type { GatewayState } from "./gateway-state.ts";

/** Reads the status. */
export function readGatewayStatus({ program, saved, live }: GatewayState): GatewayStatus {
  if (!program.on || live.isEnded) return "off";
  if (saved.refused?.configHash === program.configHash) return { refused: saved.refused.reason };
  if (live.connection.stage === "ready") return "connected";
  return live.connection.stage !== "idle" && saved.session ? "resuming" : "waiting";
}
