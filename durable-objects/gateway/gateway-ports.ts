// What the gateway's object needs from outside.
import type { AccessPolicy } from "../../src/core/access/policy.ts";
import type { AnswerByCallback } from "../../src/discord/answer-by-callback.ts";
import type { Gate } from "../../src/discord/answers/gate.ts";
import type { Program } from "../../src/gateway/gateway-state.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import type { Clock, Log, Timers } from "../../src/turn/ports.ts";
import type { GatewayRest } from "./gateway-rest.ts";
import type { GatewayStore } from "./gateway-store.ts";
import type { Upgrade } from "./line.ts";

/** A channel's object, as the gateway calls it. */
export interface ListeningChannel {
  /** Takes an event, which may come twice. Rejects when the object can't be reached. */
  hear(heard: HeardEvent): Promise<HeardReceipt>;
}

/** The ports of one life. */
export interface GatewayPorts {
  program: Program;
  /** The bot's token, only used for frames. */
  token: string;
  store: GatewayStore;
  rest: GatewayRest;
  upgrade: Upgrade;
  channel: (channelId: string) => ListeningChannel;
  gate: Gate;
  policy: AccessPolicy;
  /** Sets the object's one alarm, or clears it with null. */
  setAlarm: (at: number | null) => Promise<void>;
  /** Ends this life once all writes are stored, so that the next one runs the newest program. */
  restart: () => void;
  /** Answers an interaction that came over the gateway, as Discord sent it. Never rejects. */
  interaction: AnswerByCallback;
  clock: Clock;
  timers: Timers;
  random: () => number;
  log: Log;
}
