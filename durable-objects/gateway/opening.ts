// Begins a life of the gateway, and gives it up. An error of our own (a configuration that can't be read, storage of a newer program,
// a bug in a step) ends the session in memory and its socket. It never ends the alarm, without which nothing would start again.
import { describeError } from "../../src/core/describe-error.ts";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { isSameProgram } from "../../src/gateway/connection.ts";
import type { ProgramId } from "../../src/gateway/gateway-state.ts";
import type { GatewayInput } from "../../src/gateway/inputs-and-actions.ts";
import type { GatewayPorts } from "./gateway-ports.ts";
import { LiveGateway } from "./live-gateway.ts";

/** The ports that exist even if no session can begin. */
export interface OpeningPorts {
  /** Reads whether `DISCORD_GATEWAY` is on, and which program this is. Throws if the configuration can't be read. */
  program: () => ProgramId & { on: boolean };
  /** Builds the ports of a life and opens the storage. Throws if that fails. */
  open: () => GatewayPorts;
  setAlarm: (at: number) => Promise<void>;
  /** Deletes the storage and the alarm. */
  erase: () => Promise<void>;
  clock: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 5 * 60_000;

/** Begins the object's session, and again after it was given up. */
export class Opening {
  readonly #ports: OpeningPorts;
  #live: LiveGateway | null = null;
  #failures = 0;
  /** Why there is no session: the message of the last failure. */
  #reason = "";

  constructor(ports: OpeningPorts) {
    this.#ports = ports;
  }

  /** Called by the cron trigger, or at start. May come at any time. Rejects with the reason if there is no session. */
  async wake(caller: ProgramId, isStart = false): Promise<GatewayStatus> {
    const program = this.#ports.program();
    if (!program.on && isSameProgram(caller, program)) return this.#switchOff();
    if (!this.#feed({ kind: "wake", caller, isStart })) await this.#comeBack();
    return this.status();
  }

  /** Reports what the session is doing, without connecting. Rejects with the reason if there can be no session. */
  async status(): Promise<GatewayStatus> {
    if (this.#live) return this.#live.status;
    if (!this.#ports.program().on) return "off";
    if (this.#failures > 0) throw new Error(this.#reason);
    // No session is in memory, so its state is read from the storage; an alarm or the next wake continues it.
    return this.#begin().status;
  }

  /** Ends the connection for good: Discord shows the bot offline at once. */
  async end(): Promise<void> {
    if (this.#live) this.#feed({ kind: "end" });
  }

  /** Runs the alarm. Rejects only if not even the next alarm can be set; Cloudflare then retries this one. */
  async alarm(): Promise<void> {
    if (this.#live === null && this.#isOff()) return void (await this.#switchOff());
    if (!this.#feed({ kind: "alarm" })) await this.#comeBack();
    else if (this.#live?.status === "connected") this.#failures = 0;
  }

  /** Whether the gateway is off. False if the configuration can't be read: opening then fails, too, and reports why. */
  #isOff(): boolean {
    try {
      return !this.#ports.program().on;
    } catch {
      return false;
    }
  }

  /** Feeds one input. Returns false if that failed; the session is then given up. */
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

  /** Ends the session and erases its storage: a bot without the gateway keeps none, not even a refusal by Discord for the next time. */
  async #switchOff(): Promise<GatewayStatus> {
    this.#live?.giveUp();
    this.#live = null;
    await this.#ports.erase();
    return "off";
  }
}
