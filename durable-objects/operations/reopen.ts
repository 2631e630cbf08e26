// A reply whose interaction's token has ended, by the bot's own token.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Channel } from "../live-channel.ts";
import { isOpenToBot } from "../replies/posted-reply.ts";
import type { TurnReply } from "../replies/voice-reply.ts";

/** The reply by the bot's own token, if that reaches it now; null: it does not, or the turn is one of a scene; `later`: nobody can tell. */
export async function reopened({ ports, replies }: Channel, id: string): Promise<TurnReply | null | "later"> {
  const { store, log } = ports;
  const turn = store.turn(id);
  if (!turn || turn.request.scene) return null;
  const isOpen = await isOpenToBot(ports, turn);
  if (!isOpen) return isOpen === undefined ? "later" : null;
  const found = store.transaction(() => {
    const current = store.turn(id);
    const open: TurnRecord | null = current && { ...current, renewal: "bot" };
    if (open) store.saveTurn(open);
    return open;
  });
  log.warn("the final edit goes out by the bot's own token", { turnId: id, reason: "token_expired" });
  replies.abandon(id);
  return found && replies.of(found);
}
