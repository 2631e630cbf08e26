// Which people were told of a refusal within the last hour, over all channels: a direct message from each of ten channels would be a flood.
import type { ScopePorts } from "./scope-ports.ts";

const TOLD = "told";
const HOUR_MS = 3_600_000;
/** The most people that are remembered; beyond them the oldest are told again. */
const MOST = 500;

/** When each person was told, and of which message. */
type Told = Readonly<Record<string, { at: number; messageId: string }>>;

const readTold = ({ store }: ScopePorts): Told => store.fact<Told>(TOLD) ?? {};

/** May a person be told of this message's refusal? Notes that they are. The same message gets the same answer again. */
export function mayTell(ports: ScopePorts, userId: string, messageId: string): boolean {
  const at = ports.clock();
  const lately = Object.entries(readTold(ports)).filter(([, last]) => at < last.at + HOUR_MS);
  const last = lately.find(([id]) => id === userId)?.[1];
  if (last) return last.messageId === messageId;
  ports.store.putFact(TOLD, Object.fromEntries([...lately.slice(1 - MOST), [userId, { at, messageId }]]));
  return true;
}

/** Forgets that this person was told anything. */
export function forgetTold(ports: ScopePorts, userId: string): void {
  const { [userId]: own, ...others } = readTold(ports);
  if (own) ports.store.putFact(TOLD, others);
}
