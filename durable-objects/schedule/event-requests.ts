// The requests that the object's newest event has sent to the outside, and those that wait for another event. On the Free plan Cloudflare
// allows 50 for each event, and refuses the next one with an error before anything of it has left.
//
// An event is an RPC call or an alarm. A turn continues after the call that started it has returned, and is then part of no event. But an
// object has one IoContext for all that it does, and workerd fills up its limits (`topUpActor`) with each event that is delivered, calls
// and alarms alike. So what counts here is what was sent since the newest event, and a heartbeat is one. Whether production fills up
// requests as it does CPU time is not documented. Where it refuses one although fewer were sent since the newest event, it does not: from
// then on this life takes its alarms for nothing new. So no variable has to name the plan, and the paid one (10,000) is not slowed.
import { HEARTBEAT_MS, MIN_ALARM_DELAY_MS } from "../../src/core/limits.ts";
import type { Clock, Log } from "../../src/turn/ports.ts";

/** External requests of one event on the Free plan (Cloudflare). */
const ALLOWED = 50;
/** What growing answers leave for endings: the last edits of an answer in several messages, and of its buttons. */
const KEPT_FOR_ENDINGS = 8;
/** The platform's error: `Too many subrequests by single Worker invocation.` */
const REFUSAL = /too many subrequests/i;
/** Events in a row that allowed nothing, after which the next one is not asked for at once: each costs a row. */
const FRUITLESS = 3;

/** What the object gives it. */
interface EventRequestsPorts {
  clock: Clock;
  log: Pick<Log, "warn">;
  /** Sets the alarm, unless it comes sooner; epoch milliseconds. */
  wakeAt: (at: number) => void;
}

/** The requests of one life of the object. */
export class EventRequests {
  /** Changes with each event that is taken to bring a new allowance. */
  renewals = 0;
  /** When the alarm that a waiting request needs is to come; null while none waits. */
  wantedAt: number | null = null;
  readonly #ports: EventRequestsPorts;
  readonly #waiting = new Set<() => void>();
  #event = 0;
  /** Since the last renewal. */
  #sent = 0;
  /** A request of this event was refused. */
  #isSpent = false;
  #doAlarmsRenew = true;
  /** Events that were asked for since a request was answered. */
  #fruitless = 0;

  constructor(ports: EventRequestsPorts) {
    this.#ports = ports;
  }

  /** Only endings may still send something in this event. */
  get isReserved(): boolean {
    return this.#isSpent || this.#sent >= ALLOWED - KEPT_FOR_ENDINGS;
  }

  /** Notes that an event has begun, and sends what waits for one: from within it, whatever requests are counted by. */
  begin(by: "call" | "alarm"): void {
    this.#event++;
    this.#isSpent = false;
    this.wantedAt = null;
    if (by === "call" || this.#doAlarmsRenew) {
      this.#sent = 0;
      this.renewals++;
    }
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const send of waiting) send();
  }

  /**
   * The same fetch, counted. A request that the platform refuses waits for the next event, which the alarm brings at once, and is sent
   * then. Nothing of it had left, so whoever asked sees one slow request and no failure, and no attempt is counted anywhere. Its signal
   * ends the wait.
   */
  guard<Url, Init extends [init?: RequestInit]>(fetch: (url: Url, ...init: Init) => Promise<Response>): typeof fetch {
    return (url, ...init) => this.#send(() => fetch(url, ...init), init[0]?.signal ?? null);
  }

  async #send(request: () => Promise<Response>, signal: AbortSignal | null): Promise<Response> {
    if (this.#isSpent) return this.#later(request, signal);
    const event = this.#event;
    this.#sent++;
    try {
      const response = await request();
      this.#fruitless = 0;
      return response;
    } catch (error) {
      if (!(error instanceof Error && REFUSAL.test(error.message))) throw error;
    }
    // The refusal may be told when the next event has begun.
    if (event !== this.#event) return this.#send(request, signal);
    this.#refused();
    return this.#later(request, signal);
  }

  #refused(): void {
    this.#sent--;
    if (this.#isSpent) return;
    this.#isSpent = true;
    if (this.#sent < ALLOWED) this.#doAlarmsRenew = false;
    this.#ports.log.warn("this event may send no further request", { sent: this.#sent });
  }

  #later(request: () => Promise<Response>, signal: AbortSignal | null): Promise<Response> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(send);
        reject(signal?.reason);
      };
      const send = () => {
        signal?.removeEventListener("abort", leave);
        resolve(this.#send(request, signal));
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener("abort", leave);
      this.#waiting.add(send);
      this.#askForEvent();
    });
  }

  #askForEvent(): void {
    if (this.wantedAt !== null) return;
    const delayMs = this.#fruitless++ < FRUITLESS ? MIN_ALARM_DELAY_MS : HEARTBEAT_MS;
    this.wantedAt = this.#ports.clock() + delayMs;
    this.#ports.wakeAt(this.wantedAt);
  }
}
