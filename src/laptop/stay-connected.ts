// The time in which the bot is connected: prints each change, and ends where this runtime can't go on. Neither starts nor stops one.
import { laptopEnd, laptopFaults, laptopStatusText } from "../core/copy/laptop.ts";
import type { GatewayStatus } from "../core/state/gateway-status.ts";
import { isNews } from "./plan.ts";
import type { Runtime } from "./runtime.ts";

/** Why it ends. `clock`: another runtime is to go on. */
export type StayEnd = { kind: "signal" | "clock" } | { kind: "fault"; fault: string };

/** What it needs beside the runtime. */
export interface StayPorts {
  /** Prints a line about the connection. */
  tell: (line: string) => void;
  /** Has the clock moved against the timers since the last time that this was true? */
  hasMoved: () => boolean;
  /** Rejects with the signal. */
  sleep: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>;
  /** Fires at Ctrl-C. */
  signal: AbortSignal;
}

const STATUS_MS = 2_000;
/** Time between two looks at the connection until it is first there. */
const FIRST_STATUS_MS = 200;
/** As often as the cron trigger on Cloudflare: finds an object whose alarm was lost. */
const WAKE_MS = 5 * 60_000;

/** Prints each change of the connection, until the signal, a refusal by Discord, the runtime's own end or a clock that has moved. */
export async function stayConnected(
  runtime: Pick<Runtime, "ended" | "connect" | "wake" | "status">,
  { tell, hasMoved, sleep, signal }: StayPorts,
): Promise<StayEnd> {
  let isOver = false;
  void runtime.ended.then(() => {
    isOver = true;
  });
  const startedAt = Date.now();
  let last: GatewayStatus | null = null;
  let wasConnected = false;
  let wokenAt = startedAt;
  let status = await runtime.connect();
  while (!signal.aborted && !isOver) {
    if (status !== null && typeof status !== "string") return { kind: "fault", fault: laptopStatusText(status) };
    if (status !== null && isNews(status, { last, wasConnected, forMs: Date.now() - startedAt })) {
      tell(laptopStatusText(status));
      last = status;
    }
    wasConnected ||= status === "connected";
    await sleep(wasConnected ? STATUS_MS : FIRST_STATUS_MS, undefined, { signal }).catch(() => {});
    if (!signal.aborted && hasMoved()) {
      tell(laptopEnd.clockMoved);
      return { kind: "clock" };
    }
    const isDue = Date.now() >= wokenAt + WAKE_MS;
    if (isDue) wokenAt = Date.now();
    status = await (isDue ? runtime.wake() : runtime.status());
  }
  return isOver && !signal.aborted ? { kind: "fault", fault: laptopFaults.ended } : { kind: "signal" };
}
