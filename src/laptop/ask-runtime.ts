// Requests to programs on this computer: the runtime's Worker, and the page of another start. Never rejects: a missing answer is a value.
import type { GatewayStatus } from "../core/state/gateway-status.ts";

const ANSWER_LIMIT_MS = 3_000;

/** Resolves with the answer's JSON, whatever its status, or with an empty object if there is no answer. */
export const ask = (url: string, init: RequestInit): Promise<object | string> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
    .then((response) => response.json() as Promise<object | string>)
    .catch(() => ({}));

/** Sends a request to the gateway's object of the runtime at this address (routes in worker.ts). Null: no answer. */
export async function tellGateway(
  url: string,
  method: "GET" | "POST",
  what: "start" | "wake" | "status" | "end",
): Promise<GatewayStatus | null> {
  const answer = await ask(`${url}/laptop/${what}`, { method });
  return typeof answer === "string" || "refused" in answer ? (answer as GatewayStatus) : null;
}
