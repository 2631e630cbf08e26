// How far a turn acts by itself once its model has read words of strangers: they may order what no one here wants, and no prompt
// prevents that. So what follows from them is decided here, in code.
import { isPlainAddress, isSameHost, normalAddress } from "./addresses.ts";

/** What a turn has read. `weak`: words that were only overheard. `full`: pages, searches, remote tools, messages that others wrote. */
export type Taint = "none" | "weak" | "full";

/** The taint of a part of a request. A part without one is the person's, the bot's own, or a tool's that can be trusted. */
export type PartTaint = Exclude<Taint, "none">;

const LEVELS: readonly Taint[] = ["none", "weak", "full"];

/** The strongest of these; a missing one counts as `none`. */
export const worstTaint = (...taints: readonly (Taint | undefined)[]): Taint =>
  LEVELS.findLast((level) => taints.includes(level)) ?? "none";

/** The taint as a field of what is stored: no field for `none`. */
export const keptTaint = (taint: Taint): { taint?: PartTaint } => (taint === "none" ? {} : { taint });

/** The taint of everything that a request consists of. */
export const taintOfParts = (parts: readonly { taint?: PartTaint }[]): Taint =>
  worstTaint(...parts.map(({ taint }) => taint));

/** What a turn has read, and what its person has said about a call. */
export interface TurnTaint {
  level: Taint;
  /** Do the person's own words ask for this tool, by its triggers? */
  isAskedFor(toolName: string): boolean;
  /** Did the person give this address, or a search or page of this turn? In its normal form. */
  isKnown(address: string): boolean;
}

/** What decides about a call. `address`: what it reads; null when it names no address to be read. */
export interface JudgedCall {
  toolName: string;
  readOnly: boolean;
  address: string | null;
}

/** Must the person who asked approve this call by a button? */
export function needsButton({ toolName, readOnly, address }: JudgedCall, taint: TurnTaint): boolean {
  if (address !== null) return !mayReadAddress(address, taint);
  if (readOnly || taint.level === "none") return false;
  return taint.level === "full" || !taint.isAskedFor(toolName);
}

/** May a turn read this address without asking? What is no address of the web is answered by its tool, and no one is asked in vain. */
export function mayReadAddress(address: string, { level, isKnown }: Pick<TurnTaint, "level" | "isKnown">): boolean {
  const normal = normalAddress(address);
  if (level === "none" || normal === null || isKnown(normal)) return true;
  return level === "weak" && isPlainAddress(address);
}

/** May the request follow its redirect? A server may move a page within its host, and name no other one for us. */
export function mayFollow(from: string, to: string, taint: Pick<TurnTaint, "level" | "isKnown">): boolean {
  return isSameHost(from, to) || mayReadAddress(to, taint);
}
