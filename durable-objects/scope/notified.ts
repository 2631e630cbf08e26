// Remembers who was notified of a refusal in the last hour, across all channels: a direct message from each of ten channels would be a flood.
import type { ScopePorts } from "./scope-ports.ts";

const TOLD = "told";
const HOUR_MS = 3_600_000;
/** The most people that are remembered. Beyond that the oldest are dropped, and may be notified again. */
const MOST = 500;

/** When each person was notified, and about which message. The newest are last. */
type Notified = Readonly<Record<string, { at: number; messageId: string }>>;
type NotifiedPorts = Pick<ScopePorts, "store" | "clock">;

/** Whether a person may be notified that this message was refused; if so, notes that they were. The same message gets the same answer again. */
export function mayTell(ports: NotifiedPorts, userId: string, messageId: string): boolean {
  const lately = readLately(ports);
  const last = lately.find(([id]) => id === userId)?.[1];
  if (last) return last.messageId === messageId;
  putNotified(ports, [...lately.slice(1 - MOST), [userId, { at: ports.clock(), messageId }]]);
  return true;
}

/** Forgets that this person was notified. */
export const forgetNotified = (ports: NotifiedPorts, userId: string): void =>
  keepNotified(ports, (id) => id !== userId);

/** Whether anybody is in the list, even if they were notified more than an hour ago. */
export const hasNotified = ({ store }: Pick<NotifiedPorts, "store">): boolean =>
  Object.keys(store.fact<Notified>(TOLD) ?? {}).length > 0;

/** Forgets people who were notified more than an hour ago. */
export const expireNotified = (ports: NotifiedPorts): void => keepNotified(ports, () => true);

function keepNotified(ports: NotifiedPorts, isKept: (userId: string) => boolean): void {
  const kept = readLately(ports).filter(([id]) => isKept(id));
  if (ports.store.fact(TOLD)) putNotified(ports, kept);
}

const readLately = ({ store, clock }: NotifiedPorts) =>
  Object.entries(store.fact<Notified>(TOLD) ?? {}).filter(([, { at }]) => clock() < at + HOUR_MS);

const putNotified = ({ store }: NotifiedPorts, notified: ReturnType<typeof readLately>) =>
  store.putFact(TOLD, Object.fromEntries(notified));
