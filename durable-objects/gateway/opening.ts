// How a life of the gateway begins and is given up. An error of our own (a configuration that can't be read, a storage of a newer program,
// a fault in a step) ends the session in memory and its socket. It never ends the alarm, without which nothing would begin again.
import { describeError } from "../../src/core/describe-error.ts";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { isSameProgram } from "../../src/gateway/connection.ts";
import type { ProgramId } from "../../src/gateway/gateway-state.ts";
import type { GatewayInput } from "../../src/gateway/inputs-and-actions.ts";
import type { GatewayPorts } from "./gateway-ports.ts";
import { LiveGateway } from "./live-gateway.ts";

/** What there is even where no session can be begun. */
export interface OpeningPorts {
  /** Is `DISCORD_GATEWAY` on, and which program is this? Throws where the configuration can't be read. */
  program: () => ProgramId & { on: boolean };
  /** Builds the ports of a life. Opens the storage. Throws where that can't be. */
  open: () => GatewayPorts;
  setAlarm: (at: number) => Promise<void>;
  /** Deletes the storage and the alarm. */
  erase: () => Promise<void>;
  clock: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 5 * 60_000;

/** The object's way to its session. */
export class Opening {
  readonly #ports: OpeningPorts;
  #live: LiveGateway | null = null;
  #failures = 0;
  /** Why there is no session: the words of the last failure. */
  #reason = "";

  constructor(ports: OpeningPorts) {
    this.#ports = ports;
  }

  /** By the cron trigger, or at start. May come at any time. Rejects with the reason where there is no session. */
  async wake(caller: ProgramId, isStart = false): Promise<GatewayStatus> {
    const program = this.#ports.program();
    if (!program.on && isSameProgram(caller, program)) return this.#switchOff();
    if (!this.#feed({ kind: "wake", caller, isStart })) await this.#comeBack();
    return this.status();
  }

  /** What the session is doing. Begins none. Rejects with the reason where there can be none. */
  async status(): Promise<GatewayStatus> {
    if (this.#live) return this.#live.status;
    if (!this.#ports.program().on) return "off";
    if (this.#failures > 0) throw new Error(this.#reason);
    // Whatever it was doing, it is not doing it now; an alarm or the next wake begins it.
    return this.#begin().status;
  }

  /** The program ends for good: Discord shows the bot offline at once. */
  async end(): Promise<void> {
    if (this.#live) this.#feed({ kind: "end" });
  }

  /** Rejects only where not even an alarm can be set; then Cloudflare repeats it. */
  async alarm(): Promise<void> {
    if (this.#live === null && this.#isOff()) return void (await this.#switchOff());
    if (!this.#feed({ kind: "alarm" })) await this.#comeBack();
    else if (this.#live?.status === "connected") this.#failures = 0;
  }

  /** False also where no one knows: then it can't be opened either, and says so. */
  #isOff(): boolean {
    try {
      return !this.#ports.program().on;
    } catch {
      return false;
    }
  }

  /** False: it has failed, and there is no session any more. */
  #feed(input: GatewayInput): boolean {
    try {
      (this.#live ?? this.#begin()).feed(input);
      return true;
    } catch (error) {
      this.#giveUp(this.#live, error);
      return false;
    }
  }

  #begin(): LiveGateway {
    const live: LiveGateway = new LiveGateway(this.#ports.open(), (error) => {
      if (live !== this.#live) return;
      this.#giveUp(live, error);
      this.#comeBack().catch((failure) =>
        this.#ports.logError("the gateway's alarm could not be set", { error: describeError(failure) }),
      );
    });
    this.#live = live;
    return live;
  }

  #giveUp(live: LiveGateway | null, error: unknown): void {
    this.#live = null;
    this.#failures++;
    this.#reason = `the gateway has no session: ${error instanceof Error ? error.message : error}`;
    this.#ports.logError("the gateway's session was given up", { error: describeError(error) });
    live?.giveUp();
  }

  async #comeBack(): Promise<void> {
    const { setAlarm, clock } = this.#ports;
    await setAlarm(clock() + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, this.#failures - 1)));
  }

  /** A bot that doesn't use the gateway has no storage for it, and no refusal by Discord is remembered for the next time. */
  async #switchOff(): Promise<GatewayStatus> {
    this.#live?.giveUp();
    this.#live = null;
    await this.#ports.erase();
    return "off";
  }
}
