// Continues a reply with the bot's own token, when its interaction's token has expired.
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Channel } from "../live-channel.ts";
import { isOpenToBot } from "../replies/posted-reply.ts";
import type { TurnReply } from "../replies/voice-reply.ts";

/** Returns the reply over the bot's own token; null if that can't reach it or the turn is part of a scene; `later` if nobody can tell yet. */
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
