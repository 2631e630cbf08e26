// Sends the first answer to an interaction that came over the gateway, in Discord's wire format (docs: interactions/receiving-and-responding,
// "Create Interaction Response").
import { refusalFrom } from "./refusal.ts";
import type { RestPorts } from "./rest.ts";
import { wireJson } from "./wire-json.ts";

/**
 * How sending ended. `answered_before`: another delivery of the same interaction was answered, or we never saw Discord's answer to an earlier
 * try. `late`: Discord no longer waits. `lost`: no answer, or a failure of Discord's; the callback may have been taken. `limited`: it was not
 * taken, and may be sent again after this time.
 */
export type CallbackResult =
  | { kind: "taken" | "answered_before" | "late" }
  | { kind: "refused" | "lost"; status: number | null; error: string }
  | { kind: "limited"; status: number; error: string; retryAfterMs: number };

const ALREADY_ACKNOWLEDGED = 40060;
const UNKNOWN_INTERACTION = 10062;

/**
 * Sends one answer once. The interaction's token in the path is enough: with the bot's token as well, Discord would count the request
 * against the bot. May run twice, since Discord takes only the first. Never throws.
 */
export async function postCallback(
  ports: Pick<RestPorts, "fetch" | "baseUrl" | "userAgent">,
  { id, token }: { id: string; token: string },
  answer: object,
): Promise<CallbackResult> {
  const headers = { "User-Agent": ports.userAgent, "Content-Type": "application/json" };
  try {
    const path = `/interactions/${id}/${encodeURIComponent(token)}/callback`;
    const response = await ports.fetch(ports.baseUrl + path, { method: "POST", headers, body: wireJson(answer) });
    const text = await response.text();
    if (response.ok) return { kind: "taken" };
    const { code, status, limit, text: error } = refusalFrom(response, text);
    if (code === ALREADY_ACKNOWLEDGED) return { kind: "answered_before" };
    if (code === UNKNOWN_INTERACTION) return { kind: "late" };
    if (limit) return { kind: "limited", status, error, retryAfterMs: limit.retryAfterMs ?? 1000 };
    return { kind: status >= 500 ? "lost" : "refused", status, error };
  } catch (error) {
    return { kind: "lost", status: null, error: String(error) };
  }
}
