// Reads from the settings those limits that only a scope can count. Pure.
import type { PlaceLimits } from "../core/access/scope-rpc.ts";
import type { Settings } from "./settings.ts";

/** Reads the limits from a channel's settings. */
export const placeLimits = (settings: Settings): PlaceLimits => ({
  userTurns: settings.user_turns_per_day,
  userTokens: settings.user_tokens_per_day,
  userMicroUsd: settings.user_usd_per_day,
  serverMicroUsd: settings.server_usd_per_day,
});

/** Returns the smaller value of each limit; 0 means no limit. */
export const tighterLimits = (one: PlaceLimits, other: PlaceLimits): PlaceLimits => ({
  userTurns: tighter(one.userTurns, other.userTurns),
  userTokens: tighter(one.userTokens, other.userTokens),
  userMicroUsd: tighter(one.userMicroUsd, other.userMicroUsd),
  serverMicroUsd: tighter(one.serverMicroUsd, other.serverMicroUsd),
});

const tighter = (one: number, other: number): number => (one === 0 || other === 0 ? one + other : Math.min(one, other));
