// The links of a turn's reply. In a tainted turn Discord shows no previews, for which its servers would request an address, and links to
// addresses that the turn has never seen are text.
import { parseJson } from "../../src/core/json.ts";
import { addressesIn, addressesInJson, addressesInWords } from "../../src/core/taint/addresses.ts";
import { withoutUnseenLinks } from "../../src/core/taint/unseen-links.ts";
import type { ToolCall } from "../../src/core/transcript/transcript.ts";
import type { ReplyLinks } from "../../src/discord/delivery/reply-route.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { createConversation } from "../turn/turn-conversation.ts";

/** Reads how the links of this turn are shown now: what it has read may have changed since the last request. */
export function readReplyLinks(ports: Pick<ChannelPorts, "store" | "config" | "notes">, turnId: string): ReplyLinks {
  const { store, notes } = ports;
  const isTainted = () => store.recall(turnId)?.taint === "full";
  let seen: { results: number; addresses: ReadonlySet<string> } | null = null;
  /** Reading them costs as much as a model's request, so they are read again only when there is a new result. */
  const readSeen = (): ReadonlySet<string> => {
    const results = store.settledCalls(turnId);
    if (seen?.results !== results) seen = { results, addresses: seenAddresses(ports, turnId, notes.read()) };
    return seen.addresses;
  };
  return {
    // Nobody knows what a turn has read whose person was forgotten. A catch-up reads only what others said, and nothing of that is stored,
    // so no link in it can be looked up.
    arePreviewed() {
      if (!effectiveSettings(ports).link_previews) return false;
      const turn = store.recall(turnId);
      return turn !== null && !turn.request.catchUp && !isTainted();
    },
    shown: (text) => (/https?\\?:/i.test(text) && isTainted() ? withoutUnseenLinks(text, readSeen()) : text),
  };
}

/** The addresses in all that the turn's requests contained, except in what models have written. */
function seenAddresses({ store }: Pick<ChannelPorts, "store">, turnId: string, notes: string): ReadonlySet<string> {
  const { earlier, current } = createConversation(store, turnId)();
  const seen = new Set([...addressesIn(notes), ...(store.recall(turnId)?.request.named ?? [])]);
  const calls = new Map<string, ToolCall>();
  for (const message of [...earlier, ...current]) {
    if (message.role === "assistant") for (const call of message.calls) calls.set(call.id, call);
    // A model wrote what another voice said, too; nobody else's words begin with such a header.
    else if (message.role === "tool")
      for (const one of broughtBy(message.text, calls.get(message.callId))) seen.add(one);
    else if (!/^\[.* · bot]/.test(message.text)) for (const one of addressesInWords(message.text)) seen.add(one);
  }
  return seen;
}

/** What they bring is there, whoever named its address; but no server sees the fragment of one. */
const READERS: ReadonlySet<string> = new Set(["fetch_url", "web_search"]);

/**
 * The addresses that a tool brought. A refusal, and the warnings at a result's end, repeat what the model wrote, and so may the tool's own
 * words: with them it could make any address a seen one. In an older result the marks are escaped.
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
 * The addresses in a call's arguments. Null where those were mended, or are escaped in a text of their own: what the tool got is not known
 * here.
 */
function writtenIn(text: string): Set<string> | null {
  const given = parseJson(text.trim() || "{}");
  const isEscaped = (one: unknown) => typeof one === "string" && /^\s*\{.*\\/s.test(one);
  if (typeof given !== "object" || Object.values(given ?? {}).some(isEscaped)) return null;
  return new Set([...addressesInJson(given)].map((one) => one.toLowerCase()));
}
