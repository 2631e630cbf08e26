// Decides how far a turn may act by itself once its model has read strangers' words. They may contain orders that no one here wants, and
// no prompt prevents a model from following them, so the rules are in code.
import { isPlainAddress, isSameHost, normalAddress } from "./addresses.ts";

/** What a turn has read. `weak`: only overheard words. `full`: pages, searches, remote tools, messages that others wrote. */
export type Taint = "none" | "weak" | "full";

/** The taint of a part of a request. A part without one comes from the person, the bot itself, or a tool that can be trusted. */
export type PartTaint = Exclude<Taint, "none">;

const LEVELS: readonly Taint[] = ["none", "weak", "full"];

/** Returns the strongest of these; a missing one counts as `none`. */
export const worstTaint = (...taints: readonly (Taint | undefined)[]): Taint =>
  LEVELS.findLast((level) => taints.includes(level)) ?? "none";

/** Returns the taint as a field to store: no field for `none`. */
export const keptTaint = (taint: Taint): { taint?: PartTaint } => (taint === "none" ? {} : { taint });

/** Returns the taint of all parts of a request together. */
export const taintOfParts = (parts: readonly { taint?: PartTaint }[]): Taint =>
  worstTaint(...parts.map(({ taint }) => taint));

/** What a turn has read, and what its person's words say about calls and addresses. */
export interface TurnTaint {
  level: Taint;
  /** Whether the person's own words ask for this tool, by its triggers. */
  isAskedFor(toolName: string): boolean;
  /** Whether this address, in its normal form, came from the person or from a search or page of this turn. */
  isKnown(address: string): boolean;
}

/** What matters about a call. `address`: the one that it reads; null when it names none. */
export interface JudgedCall {
  toolName: string;
  readOnly: boolean;
  address: string | null;
}

/** Whether the asker must approve this call by a button. */
export function needsButton({ toolName, readOnly, address }: JudgedCall, taint: TurnTaint): boolean {
  if (address !== null) return !mayReadAddress(address, taint);
  if (readOnly || taint.level === "none") return false;
  return taint.level === "full" || !taint.isAskedFor(toolName);
}

/** Whether a turn may read this address without asking. If it isn't a web address, its tool says so, and no one is asked in vain. */
export function mayReadAddress(address: string, { level, isKnown }: Pick<TurnTaint, "level" | "isKnown">): boolean {
  const normal = normalAddress(address);
  if (level === "none" || normal === null || isKnown(normal)) return true;
  return level === "weak" && isPlainAddress(address);
}

/** Whether the request may follow a redirect. A server may move a page within its host, but may not choose another host for us. */
export function mayFollow(from: string, to: string, taint: Pick<TurnTaint, "level" | "isKnown">): boolean {
  return isSameHost(from, to) || mayReadAddress(to, taint);
}
