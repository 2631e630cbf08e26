// What the pump tells about a reply: the messages that it creates, written down before and after, and what became of the last
// words. Types only.
import type { DeliveredPart } from "../../core/state/record.ts";

/** Where the pump writes down what it creates. Both answer false when the turn is not ours any more. */
export interface PartsLedger {
  parts(): DeliveredPart[];
  /** Stands before a create in the same tick, so that a life that dies in between leaves a trace of it. */
  sending(index: number): boolean;
  sent(index: number, id: string): boolean;
}

/**
 * What became of the last words. `gone`: the person deleted the reply, or Discord will not
 * have it. `no_access`: the channel is lost, or we may not speak there. `refused`: Discord will not take
 * this message. `lost`: it is not known whether the first message exists. `superseded`: another life writes this reply.
 */
export type Delivered =
  | { ok: true }
  | { ok: false; reason: "gone" | "no_access" | "token_expired" | "refused" | "lost" | "superseded" };
