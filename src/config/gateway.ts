// Reads the switch of Discord's Gateway, and what tells one deployed program from another.
import { readChoice } from "./choice.ts";

/** Reads `DISCORD_GATEWAY`: on or off. Adds each problem, which names its variable. */
export function readGatewaySwitch(text: string | null, hasToken: boolean, problems: string[]): boolean {
  const word = readChoice("DISCORD_GATEWAY", text, ["on", "off"], problems);
  if (word === "on" && !hasToken) problems.push("DISCORD_GATEWAY is on, but DISCORD_BOT_TOKEN is missing");
  return word === "on";
}

/** What Cloudflare tells a program about its deployment (docs: version metadata). */
export interface Deployment {
  id: string;
  /** When this version was uploaded, in epoch milliseconds; null if not known. */
  at: number | null;
}

/** Reads the binding; without it, all deployments of a release count as the same. */
export function readDeployment(env: unknown, release: string): Deployment {
  const { id, timestamp } =
    (env as { CF_VERSION_METADATA?: { id?: string; timestamp?: string } }).CF_VERSION_METADATA ?? {};
  const at = Date.parse(timestamp ?? "");
  return { id: id || release, at: Number.isNaN(at) ? null : at };
}

/**
 * Returns a short text that differs if one of the parts does (cyrb53: 53 bits, far fewer than a token has, so a token can't be recovered). Not
 * for anything that an attacker must not be able to match.
 */
export function hashParts(...parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}
