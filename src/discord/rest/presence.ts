// Does a server or a channel still exist for the bot? Asked with its own token, where nobody has used it for long.
import { fetchAsBot } from "./bot-fetch.ts";
import { parseObject, refusalFrom } from "./refusal.ts";
import type { RestPorts } from "./rest.ts";

/**
 * `private`: it exists, and is no part of a server. `closed`: it exists, and the bot is no member or may not see it. `missing`: it does not
 * exist, or not for the bot. `unknown`: Discord did not say, as in an outage, past a rate limit, or where it does not take the token.
 */
export type Presence = "here" | "private" | "closed" | "missing" | "unknown";

/** Unknown channel, unknown guild, missing access (docs: topics/opcodes-and-status-codes). */
const SAYS: Readonly<Record<number, Presence>> = { 10003: "missing", 10004: "missing", 50001: "closed" };
/** Direct messages, with one person or several. Of a server's fields, none is called `type`. */
const PRIVATE = [1, 3];

/** Asks for `/guilds/{id}` or `/channels/{id}`: one request. Never throws. */
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
