// Draws pictures for a turn's tool, as long as all limits and the reply have room for one. A known price is counted before the picture
// is drawn, so that it counts whatever dies; this costs one more row per picture.
import { accessText } from "../../src/core/copy/access.ts";
import { spentText } from "../../src/core/copy/budgets.ts";
import { MAX_REPLY_FILES } from "../../src/core/limits.ts";
import { pictureCost } from "../../src/core/money/unit-price.ts";
import { withCharge } from "../../src/core/money/usage.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ToolServices } from "../../src/toolkit/define/tool-services.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { reportHelperFailure } from "../scope-calls/tell-owners.ts";
import { heldTurn } from "../turn/turn-fence.ts";
import type { TurnLease } from "./turn-lease.ts";

/** Creates the drawing service of one turn. `lease` must cover the price. */
export function createDraw(
  channel: Channel,
  turn: TurnRecord,
  lease: TurnLease,
  drawPicture: NonNullable<ChannelPorts["drawPicture"]>,
): NonNullable<ToolServices["draw"]> {
  const { config, store, instance, log, keepAlive } = channel.ports;
  const { id: turnId, epoch } = turn;
  /** Adds micro-dollars to the turn's cost. Returns false if this life no longer owns the turn. */
  const charge = (microUsd: number): boolean =>
    store.transaction(() => {
      const held = heldTurn(store, { turnId, instance, epoch });
      if (held && microUsd !== 0) store.saveTurn({ ...held, usage: withCharge(held.usage, microUsd) });
      return held !== null;
    });
  return async (prompt, signal) => {
    if (store.fileNotes(turnId).length >= MAX_REPLY_FILES)
      return { ok: false, error: `one answer can have ${MAX_REPLY_FILES} files, and this one already does` };
    const expected = pictureCost(config.imageModel?.unitPrice ?? 0);
    const refusal = await lease.refuseCall(expected);
    if (refusal)
      return {
        ok: false,
        error: refusal.kind === "budget_spent" ? spentText(refusal) : accessText(refusal.refusal),
      };
    if (!lease.covers(expected)) return { ok: false, error: "what is left of a budget is not enough for a picture" };
    if (signal.aborted || !charge(expected)) return { ok: false, error: "the turn has ended" };
    const made = await drawPicture(prompt, signal);
    if (!made.ok) {
      log.warn("a picture was not drawn", { turnId, error: made.error });
      if (!made.mayCost) charge(-expected);
      if (made.failed) keepAlive(reportHelperFailure(channel, turn.request.channelId, made.failed.reason));
      return { ok: false, error: made.error, ...(!made.isBlocked && { isFault: true }) };
    }
    const { type, data, microUsd } = made;
    charge((microUsd ?? expected) - expected);
    return { ok: true, type, data };
  };
}
