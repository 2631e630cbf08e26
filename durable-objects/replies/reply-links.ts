// Decides how links in a turn's reply are shown. In a tainted turn Discord shows no previews, because its servers would request the address for
// them, and a link to an address that the turn has never seen becomes plain text.
import { parseJson } from "../../src/core/json.ts";
import { addressesIn, addressesInJson, addressesInWords } from "../../src/core/taint/addresses.ts";
import { withoutUnseenLinks } from "../../src/core/taint/unseen-links.ts";
import type { ToolCall } from "../../src/core/transcript/transcript.ts";
import type { ReplyLinks } from "../../src/discord/delivery/reply-route.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { createConversation } from "../turn/turn-conversation.ts";

/** Returns functions that decide anew for each request, because the turn may have read more since the last one. */
export function readReplyLinks(ports: Pick<ChannelPorts, "store" | "config" | "notes">, turnId: string): ReplyLinks {
  const { store, notes } = ports;
  const isTainted = () => store.recall(turnId)?.taint === "full";
  let seen: { results: number; addresses: ReadonlySet<string> } | null = null;
  /** Collecting the addresses costs as much as building a model request, so it is repeated only when there is a new result. */
  const readSeen = (): ReadonlySet<string> => {
    const results = store.settledCalls(turnId);
    if (seen?.results !== results) seen = { results, addresses: seenAddresses(ports, turnId, notes.read()) };
    return seen.addresses;
  };
  return {
    // If a turn's person was forgotten, nobody knows what the turn has read. A catch-up reads only what others said, and none of that is stored,
    // so no link in it can be looked up.
    arePreviewed() {
      if (!effectiveSettings(ports).link_previews) return false;
      const turn = store.recall(turnId);
      return turn !== null && !turn.request.catchUp && !isTainted();
    },
    shown: (text) => (/https?\\?:/i.test(text) && isTainted() ? withoutUnseenLinks(text, readSeen()) : text),
  };
}

/** Collects the addresses from everything that the turn's model requests contained, except from what models wrote. */
function seenAddresses({ store }: Pick<ChannelPorts, "store">, turnId: string, notes: string): ReadonlySet<string> {
  const { earlier, current } = createConversation(store, turnId)();
  const seen = new Set([...addressesIn(notes), ...(store.recall(turnId)?.request.named ?? [])]);
  const calls = new Map<string, ToolCall>();
  for (const message of [...earlier, ...current]) {
    if (message.role === "assistant") for (const call of message.calls) calls.set(call.id, call);
    // What another persona said was written by a model too. Only such a message begins with this header.
    else if (message.role === "tool")
      for (const one of broughtBy(message.text, calls.get(message.callId))) seen.add(one);
    else if (!/^\[.* · bot]/.test(message.text)) for (const one of addressesInWords(message.text)) seen.add(one);
  }
  return seen;
}

/** Tools whose addresses exist, whoever named them first. This doesn't cover an address with a fragment, which no server sees. */
const READERS: ReadonlySet<string> = new Set(["fetch_url", "web_search"]);

/**
 * Returns the addresses that a tool's result brought. A refusal, and the warnings at the end of a result, repeat what the model wrote, and so may
 * the tool's own words: counting those, a model could make any address a seen one. In an older result the quotation marks are escaped.
 */
function broughtBy(result: string, call: ToolCall | undefined): string[] {
  if (/"status\\?":\\?"(?:tool_execution_failed|blocked_)/.test(result)) return [];
  const found = [...addressesIn(result.split(/"warnings\\?":\[/)[0] ?? "")];
  if (found.length === 0 || !call) return found;
  const written = writtenIn(call.arguments);
  const isThere = (one: string) => READERS.has(call.name) && !one.includes("#");
  return found.filter((one) => isThere(one) || (written !== null && !written.has(one.toLowerCase())));
}

/**
 * Returns the addresses in a call's arguments. Null if the arguments were repaired, or are JSON inside a string: then it is not known here what
 * the tool got.
 */
function writtenIn(text: string): Set<string> | null {
  const given = parseJson(text.trim() || "{}");
  const isEscaped = (one: unknown) => typeof one === "string" && /^\s*\{.*\\/s.test(one);
  if (typeof given !== "object" || Object.values(given ?? {}).some(isEscaped)) return null;
  return new Set([...addressesInJson(given)].map((one) => one.toLowerCase()));
}
