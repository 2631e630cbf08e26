// One server, whichever era of the protocol it speaks. This is our own client, with only what tools need: the official one would add 60
// KB to the bundle, with features that a Worker can't use.
//
// The newer era is tried first, with the actual request, so a server that speaks it needs no additional request. One that does not
// refuses without looking at the request, and is then asked in the older era. The era that it speaks is remembered until the server
// refuses it.
import { legacyEra } from "./legacy-era.ts";
import { modernEra } from "./modern-era.ts";
import type { CallExtras, Era, McpOutside, McpServer, Reply } from "./wire.ts";

export { CONNECT_LIMIT_MS } from "./legacy-era.ts";
export type { Credentials, McpOutside, McpServer, Reply } from "./wire.ts";

/** `modern`: 2026-07-28. `legacy`: everything before it. */
export type EraName = "modern" | "legacy";

/** Where the era that a server speaks is remembered. Null: unknown. */
export interface EraMemory {
  era: EraName | null;
}

/** A conversation with one server. It begins by itself, and begins again when the server has forgotten it. */
export interface McpSession {
  /**
   * Sends one request; sends it a second time only if the server refused to look at the first. Never throws. Aborting closes the connection and
   * notifies the server that the answer is no longer wanted.
   */
  request(method: string, params: object, signal: AbortSignal, extras?: CallExtras): Promise<Reply>;
}

/** A shorter text is not a token, and hiding it would damage ordinary words. */
const MIN_TOKEN_CHARS = 8;

/** Creates a session. `onListChanged` runs when the server's tools may have changed. */
export function createSession(
  remote: McpServer,
  outside: McpOutside,
  onListChanged: () => void,
  memory: EraMemory = { era: null },
): McpSession {
  const sent = new Set<string>();
  const server = { ...remote, sent };
  const hide = (text: string) =>
    [...sent].reduce(
      (rest, token) => (token.length < MIN_TOKEN_CHARS ? rest : rest.replaceAll(token, "[secret]")),
      text,
    );
  /** Removes the tokens that were sent to the server: if it repeated them, a whole channel would see them. */
  const withoutTokens = (reply: Reply): Reply =>
    sent.size === 0
      ? reply
      : JSON.parse(JSON.stringify(reply), (_key, value) => (typeof value === "string" ? hide(value) : value));
  const eras: Record<EraName, Era> = {
    modern: modernEra(server, outside, () => memory.era === "modern", onListChanged),
    legacy: legacyEra(server, outside, onListChanged),
  };
  return {
    async request(method, params, signal, extras = {}) {
      const known = memory.era;
      const ask = async (name: EraName) => {
        const { reply, ...asked } = await eras[name].ask(method, params, signal, extras);
        if (asked.isKnown && memory.era !== name) memory.era = name;
        return { ...asked, reply: withoutTokens(reply) };
      };
      const first = known ?? "modern";
      const asked = await ask(first);
      if (!asked.isOtherEra) return asked.reply;
      const other = await ask(first === "modern" ? "legacy" : "modern");
      // If it did not refuse this era, it may have acted, even if its answer was lost.
      if (other.isKnown || !other.isOtherEra) return other.reply;
      // The server understood neither era. The answer in the era that it is known to speak is the more telling one; so is an error of the
      // protocol, compared with a mere status.
      const hasSaid = !asked.reply.ok && asked.reply.code !== undefined;
      return known === null && !hasSaid ? other.reply : asked.reply;
    },
  };
}
