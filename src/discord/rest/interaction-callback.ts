// The first answer to an interaction that came over the gateway, in Discord's wire format (docs: interactions/receiving-and-responding,
// "Create Interaction Response").
import { type RestPorts, refusalFrom } from "./rest.ts";
import { hasNoVerdict } from "./send-failure.ts";
import { wireJson } from "./wire-json.ts";

/**
 * How it ended. `answered_before`: another delivery of the same interaction was answered, or the answer to our own request was lost.
 * `late`: Discord no longer waits for it. `lost`: no answer of Discord's own; the callback may have been taken.
 */
export type CallbackResult =
  | { kind: "taken" | "answered_before" | "late" }
  | { kind: "refused" | "lost"; status: number | null; error: string };

const ALREADY_ACKNOWLEDGED = 40060;
const UNKNOWN_INTERACTION = 10062;

/**
 * Sends one answer once. The interaction's token in the path is enough: with the bot's token beside it, Discord would count the request
 * against the bot. May run twice: Discord takes the first. Never throws.
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
    const refusal = refusalFrom(response, text);
    const { code, status, text: error } = refusal;
    if (code === ALREADY_ACKNOWLEDGED) return { kind: "answered_before" };
    if (code === UNKNOWN_INTERACTION) return { kind: "late" };
    return { kind: hasNoVerdict(refusal) ? "lost" : "refused", status, error };
  } catch (error) {
    return { kind: "lost", status: null, error: String(error) };
  }
}
