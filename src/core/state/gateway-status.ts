// The gateway's state, as /health and `/bot status` show it. Types only.

/** Why Discord refuses us until someone changes something: its close codes 4004 and 4010 to 4014. */
export type GatewayRefusal =
  | "bad_token"
  | "bad_shard"
  | "sharding_required"
  | "bad_version"
  | "bad_intents"
  | "disallowed_intents";

/** `waiting`: for the next attempt, or for Discord's first answer. `off`: not switched on, or ended. */
export type GatewayStatus = "connected" | "resuming" | "waiting" | "off" | { refused: GatewayRefusal };

/** `unknown`: its object gave no answer. `usedUp`: it won't answer today; names what Cloudflare says is used up. */
export type SeenGatewayStatus = GatewayStatus | "unknown" | { usedUp: string };
