// Records in the turn's record which messages its reply has.
import { timelineText } from "../../src/core/copy/timeline.ts";
import { madePrivate } from "../../src/core/state/private-turns.ts";
import type { DeliveredPart, TurnRecord } from "../../src/core/state/record.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { PartsLedger } from "../../src/discord/delivery/parts-ledger.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** How often a write is tried. A message that is not recorded here is lost. */
const WRITE_TRIES = 3;

/** Returns the turn if this life may write its reply: it is not finished, and no other life owns it. Otherwise null. */
export function turnOfReply(store: ChannelPorts["store"], id: string, instance: string): TurnRecord | null {
  const turn = store.turn(id);
  const isOurs = turn !== null && turn.state !== "finished" && (turn.instance ?? instance) === instance;
  return isOurs ? turn : null;
}

/** Opens the ledger of one turn's messages. */
export function openReplyLedger(
  { store, instance, clock, log }: Pick<ChannelPorts, "store" | "instance" | "clock" | "log">,
  turnId: string,
): PartsLedger {
  const put = (index: number, part: DeliveredPart | null, isPrivate = false) => {
    for (let tries = 1; ; tries++) {
      try {
        return putOnce(index, part, isPrivate);
      } catch (error) {
        log.error("a message was not recorded", { turnId, error: String(error) });
        if (tries === WRITE_TRIES) throw error;
      }
    }
  };
  const putOnce = (index: number, part: DeliveredPart | null, isPrivate: boolean) =>
    store.transaction(() => {
      const turn = turnOfReply(store, turnId, instance);
      if (!turn) return false;
      const parts = turn.parts.slice(0, part ? undefined : index);
      if (part) parts[index] = part;
      const sent = { at: clock(), what: "sent", detail: timelineText.message(index + 1) };
      const events = part?.state === "sent" ? withEvent(turn.events, sent) : turn.events;
      const delivered = { ...turn, parts, events };
      store.saveTurn(isPrivate ? madePrivate(delivered) : delivered);
      return true;
    });
  // Read very often while a reply is built, so from the cache, which includes every write of this life.
  const parts = () => store.recall(turnId)?.parts ?? [];
  return {
    parts,
    sending: (index, isRepeat) =>
      put(index, { state: "sending", id: null, since: (isRepeat ? parts()[index]?.since : null) ?? clock() }),
    sent: (index, { id, ephemeral }) => put(index, { state: "sent", id }, ephemeral),
    removed: (index) => put(index, null),
  };
}
