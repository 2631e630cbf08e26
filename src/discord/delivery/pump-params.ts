// What one reply's delivery needs. Types only.
import type { Clock, Log, Timers } from "../../turn/ports.ts";
import type { RequestAllowance } from "./pace.ts";
import type { ReplyContentParams } from "./reply-content.ts";
import type { ReplyRouteParams } from "./reply-route.ts";

/** Everything that one reply needs. */
export interface PumpParams extends ReplyRouteParams, ReplyContentParams {
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  requests: RequestAllowance;
  log: Log;
  /** Until when requests of an earlier life for this reply may still take effect, in epoch milliseconds. Missing if there are none. */
  strayUntil?: number;
  /** What the ids of its buttons name (`clickTarget`). */
  clickTarget: string;
  /** Called when the person deleted the reply, the channel is lost, or Discord's filters refuse the text. */
  onGone: (why: "gone" | "no_access") => void;
}
