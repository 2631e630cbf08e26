// Draws pictures for a turn's tool: as long as its limits and its reply have room for one, and each is counted when it is there.
import { spentText } from "../../src/core/copy/budgets.ts";
import { MAX_REPLY_FILES } from "../../src/core/limits.ts";
import { withCharge } from "../../src/core/money/usage.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { ToolServices } from "../../src/toolkit/define/tool-services.ts";
import type { Channel } from "../live-channel.ts";
import { spentBeforeCall } from "../settings/budgets.ts";
import { heldTurn } from "../turn/turn-fence.ts";

/** The service of one turn; undefined where nothing draws. A picture costs a row more, for its price. */
export function createDraw({ ports }: Channel, turn: TurnRecord): ToolServices["draw"] | undefined {
  const { drawPicture, store, instance, log } = ports;
  if (!drawPicture) return undefined;
  return async (prompt, signal) => {
    const spent = spentBeforeCall(ports, turn);
    if (spent) return { ok: false, error: spentText(spent) };
    if (store.fileNotes(turn.id).length >= MAX_REPLY_FILES)
      return { ok: false, error: `one answer can have ${MAX_REPLY_FILES} files, and this one has them` };
    const made = await drawPicture(prompt, signal);
    if (!made.ok) {
      log.warn("a picture was not drawn", { turnId: turn.id, error: made.error });
      return { ok: false, error: made.error, ...(!made.isBlocked && { isFault: true }) };
    }
    const { type, data, microUsd } = made;
    const { id: turnId, epoch } = turn;
    if (microUsd !== null)
      store.transaction(() => {
        const held = heldTurn(store, { turnId, instance, epoch });
        if (held) store.saveTurn({ ...held, usage: withCharge(held.usage, microUsd) });
      });
    return { ok: true, type, data };
  };
}
