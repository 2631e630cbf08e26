// Records a reply's messages in the turn's record. It writes only while the turn is unfinished and not owned by another
// life.
import { timelineText } from "../../src/core/copy/timeline.ts";
import { madePrivate } from "../../src/core/state/private-turns.ts";
import type { DeliveredPart } from "../../src/core/state/record.ts";
import { withEvent } from "../../src/core/state/turn-events.ts";
import type { PartsLedger } from "../../src/discord/delivery/parts-ledger.ts";
import type { ChannelPorts } from "../channel-ports.ts";

/** Opens the ledger of one turn's messages. Its writes return false when this life may not write the turn. */
export function openReplyLedger(
  { store, instance, clock }: Pick<ChannelPorts, "store" | "instance" | "clock">,
  turnId: string,
): PartsLedger {
  const put = (index: number, part: DeliveredPart, isPrivate = false) =>
    store.transaction(() => {
      const turn = store.turn(turnId);
      if (!turn || turn.state === "finished" || (turn.instance !== null && turn.instance !== instance)) return false;
      const parts = [...turn.parts];
      parts[index] = part;
      const sent = { at: clock(), what: "sent", detail: timelineText.message(index + 1) };
      const events = part.state === "sent" ? withEvent(turn.events, sent) : turn.events;
      const delivered = { ...turn, parts, events };
      store.saveTurn(isPrivate ? madePrivate(delivered) : delivered);
      return true;
    });
  const parts = () => store.turn(turnId)?.parts ?? [];
  return {
    parts,
    sending: (index) => put(index, { state: "sending", id: null, since: parts()[index]?.since ?? clock() }),
    sent: (index, { id, ephemeral }) => put(index, { state: "sent", id }, ephemeral),
  };
}
