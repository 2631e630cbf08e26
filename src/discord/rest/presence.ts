// Asks Discord, with the bot's own token, whether a server or a channel still exists for the bot, after nobody has used it for a long time.
import { fetchAsBot } from "./bot-fetch.ts";
import { parseObject, refusalFrom } from "./refusal.ts";
import type { RestPorts } from "./rest.ts";

/**
 * `private`: it exists outside any server. `closed`: it exists, but the bot is not a member or may not see it. `missing`: it does not exist, or
 * not for the bot. `unknown`: Discord did not say, because of an outage, a rate limit, or a token that it does not accept.
 */
export type Presence = "here" | "private" | "closed" | "missing" | "unknown";

/** Unknown channel, unknown guild, missing access (docs: topics/opcodes-and-status-codes). */
const SAYS: Readonly<Record<number, Presence>> = { 10003: "missing", 10004: "missing", 50001: "closed" };
/** Direct messages, with one person or several. A server has no field called `type`. */
const PRIVATE = [1, 3];

/** Asks about `/guilds/{id}` or `/channels/{id}` in one request. Reads only, so it may run twice. Never throws. */
export async function askPresence(ports: RestPorts, path: string): Promise<Presence> {
  try {
    const response = await fetchAsBot(ports, "GET", path);
    const text = await response.text();
    if (!response.ok) return SAYS[refusalFrom(response, text).code] ?? "unknown";
    const found = parseObject(text);
    if (typeof found?.id !== "string") return "unknown";
    return PRIVATE.includes(found.type as number) ? "private" : "here";
  } catch (error) {
    ports.onLost?.("GET", error);
    return "unknown";
  }
}
