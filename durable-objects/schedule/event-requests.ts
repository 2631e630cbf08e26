// Counts the outgoing requests of the object's newest event, and keeps those that wait for another event. On the Free plan Cloudflare
// allows 50 per event, and refuses the next one with an error before any of it is sent.
//
// An event is an RPC call or an alarm. A turn continues after the call that started it has returned, and is then part of no event. But an
// object has one IoContext for everything it does, and workerd refills its limits (`topUpActor`) with each event that is delivered, calls
// and alarms alike. So the count covers what was sent since the newest event, and a heartbeat is an event. It is not documented whether
// production refills requests as it does CPU time. If it refuses a request although fewer were sent since the newest event, alarms evidently
// refill nothing, and this life no longer counts on them. So no variable has to name the plan, and the paid one (10,000) is not slowed.
import { HEARTBEAT_MS, MIN_ALARM_DELAY_MS } from "../../src/core/limits.ts";
import type { Clock, Log } from "../../src/turn/ports.ts";

/** External requests of one event on the Free plan (Cloudflare). */
const ALLOWED = 50;
/** How many requests growing answers leave for endings: the last edits of an answer in several messages, and of its buttons. */
const KEPT_FOR_ENDINGS = 8;
/** The platform's error: `Too many subrequests by single Worker invocation.` */
const REFUSAL = /too many subrequests/i;
/** After so many events in a row that allowed nothing, the next one is not requested at once: each costs a row. */
const FRUITLESS = 3;

/** What `EventRequests` needs from the object. */
interface EventRequestsPorts {
  clock: Clock;
  log: Pick<Log, "warn">;
  /** Sets the alarm, unless it comes sooner; epoch milliseconds. */
  wakeAt: (at: number) => void;
}

/** The requests of one life of the object. */
export class EventRequests {
  /** Changes with each event that, as far as is known, brings a new allowance. */
  renewals = 0;
  /** When the alarm should come that a waiting request needs; null while none waits. */
  wantedAt: number | null = null;
  readonly #ports: EventRequestsPorts;
  readonly #waiting = new Set<() => void>();
  #event = 0;
  /** How many requests were sent since the last renewal. */
  #sent = 0;
  /** Whether a request of this event was refused. */
  #isSpent = false;
  #doAlarmsRenew = true;
  /** How many events were requested since a request was last answered. */
  #fruitless = 0;

  constructor(ports: EventRequestsPorts) {
    this.#ports = ports;
  }

  /** Whether only endings may still send something in this event. */
  get isReserved(): boolean {
    return this.#isSpent || this.#sent >= ALLOWED - KEPT_FOR_ENDINGS;
  }

  /** Notes that an event has begun, and sends the waiting requests: from within the event, so that they count toward it in any case. */
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
   * Returns the same fetch, with its requests counted. A request that the platform refuses waits for the next event, which the alarm brings at
   * once, and is sent then. None of it had been sent, so the caller sees one slow request and no failure, and no attempt is counted anywhere.
   * The request's signal ends the wait.
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
    // The refusal may arrive after the next event has begun.
    if (event !== this.#event) return this.#send(request, signal);
    this.#refused();
    return this.#later(request, signal);
  }

  #refused(): void {
    this.#sent--;
    if (this.#isSpent) return;
    this.#isSpent = true;
    if (this.#sent < ALLOWED) this.#doAlarmsRenew = false;
    this.#ports.log.warn("this event can send no more requests", { sent: this.#sent });
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
