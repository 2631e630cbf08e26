// Which people were told of a refusal within the last hour, over all channels: a direct message from each of ten channels would be a flood.
import type { ScopePorts } from "./scope-ports.ts";

const TOLD = "told";
const HOUR_MS = 3_600_000;
/** The most people that are remembered; beyond them the oldest are told again. */
const MOST = 500;

/** When each person was told, and of which message. The newest are last. */
type Told = Readonly<Record<string, { at: number; messageId: string }>>;
type ToldPorts = Pick<ScopePorts, "store" | "clock">;

/** May a person be told of this message's refusal? Notes that they are. The same message gets the same answer again. */
export function mayTell(ports: ToldPorts, userId: string, messageId: string): boolean {
  const lately = readLately(ports);
  const last = lately.find(([id]) => id === userId)?.[1];
  if (last) return last.messageId === messageId;
  putTold(ports, [...lately.slice(1 - MOST), [userId, { at: ports.clock(), messageId }]]);
  return true;
}

/** Forgets that this person was told anything. */
export const forgetTold = (ports: ToldPorts, userId: string): void => keepTold(ports, (id) => id !== userId);

/** Is anybody in the list, also of those who were told more than an hour ago? */
export const hasTold = ({ store }: Pick<ToldPorts, "store">): boolean =>
  Object.keys(store.fact<Told>(TOLD) ?? {}).length > 0;

/** Forgets who was told more than an hour ago. */
export const expireTold = (ports: ToldPorts): void => keepTold(ports, () => true);

function keepTold(ports: ToldPorts, isKept: (userId: string) => boolean): void {
  const kept = readLately(ports).filter(([id]) => isKept(id));
  if (ports.store.fact(TOLD)) putTold(ports, kept);
}

const readLately = ({ store, clock }: ToldPorts) =>
  Object.entries(store.fact<Told>(TOLD) ?? {}).filter(([, { at }]) => clock() < at + HOUR_MS);

const putTold = ({ store }: ToldPorts, told: ReturnType<typeof readLately>) =>
  store.putFact(TOLD, Object.fromEntries(told));
