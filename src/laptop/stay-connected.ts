// Watches the bot's connection: prints each change, and ends if this runtime can't continue. Neither starts nor stops a runtime.
import { laptopEnd, laptopFaults, laptopStatusText } from "../core/copy/laptop.ts";
import type { GatewayStatus } from "../core/state/gateway-status.ts";
import { isNews } from "./plan.ts";
import type { Runtime } from "./runtime.ts";

/** Why the watching ended. `clock`: a new runtime has to take over. */
export type StayEnd = { kind: "signal" | "clock" } | { kind: "fault"; fault: string };

/** What it needs besides the runtime. */
export interface StayPorts {
  /** Prints a line about the connection. */
  tell: (line: string) => void;
  /** Whether the clock has moved relative to the timers since the last time that this was true. */
  hasMoved: () => boolean;
  /** Rejects when the signal fires. */
  sleep: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>;
  /** Fires at Ctrl-C. */
  signal: AbortSignal;
}

const STATUS_MS = 2_000;
/** Time between two looks at the connection until it is first established. */
const FIRST_STATUS_MS = 200;
/** The interval of the cron trigger on Cloudflare. It wakes an object whose alarm was lost. */
const WAKE_MS = 5 * 60_000;

/** Prints each change of the connection, until the signal, a refusal by Discord, the runtime's end or a move of the clock. */
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
