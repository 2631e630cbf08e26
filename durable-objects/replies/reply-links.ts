// The links of a turn's reply. In a tainted turn Discord shows no previews, for which its servers would request an address, and links to
// addresses that the turn has never seen are text.
import { addressesIn, addressesInWords } from "../../src/core/taint/addresses.ts";
import { withoutUnseenLinks } from "../../src/core/taint/unseen-links.ts";
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
    // Of a turn whose person was forgotten nobody knows what it has read. What others said is all that a catch-up reads, and nothing of it
    // is stored, so no link in it can be looked up.
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
  // A model wrote what another voice said, too; nobody else's words begin with such a header.
  const read = [...earlier, ...current].filter(({ role, text }) => role !== "assistant" && !/^\[.* · bot]/.test(text));
  return new Set([
    ...addressesIn(notes),
    ...(store.recall(turnId)?.request.named ?? []),
    ...read.flatMap(({ role, text }) => [...(role === "user" ? addressesInWords(text) : addressesIn(fromTool(text)))]),
  ]);
}

/**
 * The part of a result that its tool brought. A refusal, and the warnings at a result's end, repeat what the model wrote: with them it
 * could make any address a seen one. In an older result the marks are escaped.
 */
const fromTool = (result: string): string =>
  /"status\\?":\\?"(?:tool_execution_failed|blocked_)/.test(result) ? "" : (result.split(/"warnings\\?":\[/)[0] ?? "");
