// What the pump records about a reply: each message that it creates, before and after the request, and what became of the last words. Types
// only.
import type { DeliveredPart } from "../../core/state/record.ts";
import type { SentMessage } from "../rest/rest.ts";

/** Where the pump records the messages that it creates. All but `parts` return false if the turn is not ours any more. */
export interface PartsLedger {
  parts(): DeliveredPart[];
  /**
   * Called before a create, in the same tick, so that a life that dies in between leaves a trace. `isRepeat`: an earlier try may have created
   * the message, and the nonce's time counts from that one.
   */
  sending(index: number, isRepeat: boolean): boolean;
  /** `ephemeral`: Discord shows the message only to the person who asked, so the turn is private from now on. */
  sent(index: number, message: Pick<SentMessage, "id" | "ephemeral">): boolean;
  /** Records that this message, the last one, is deleted: the reply has become shorter. */
  removed(index: number): boolean;
}

/**
 * What became of the last words. `isBlocked`: Discord's filters refuse them, and a line says so. `gone`: the person deleted the reply.
 * `no_access`: the channel is lost, or we may not post there. `refused`: Discord refuses this message, or the webhook that
 * posted it is gone. `lost`: we don't know whether the first message exists. `superseded`: another life writes this reply.
 */
export type Delivered =
  | { ok: true; isBlocked?: true }
  | { ok: false; reason: "gone" | "no_access" | "token_expired" | "refused" | "lost" | "superseded" };
