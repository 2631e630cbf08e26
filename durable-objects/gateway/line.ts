// The gateway's one WebSocket. Each has the generation that the session gave it; of an older one nothing is heard any more, because it is
// dropped here before it is closed. Knows no frames.
import type { Timers } from "../../src/turn/ports.ts";

/** The part of a WebSocket that is used. */
export interface Wire {
  accept(): void;
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

/** Asks for a WebSocket. `wire` is null where it was refused. Rejects where there was no answer, and when the signal fires. */
export type Upgrade = (url: string, signal: AbortSignal) => Promise<{ wire: Wire | null; status: number }>;

/** What is heard of the socket. Called outside any other call to the line. */
export interface LineEars {
  opened(generation: number): void;
  /** A frame's text; null: the frame is binary. */
  text(generation: number, text: string | null): void;
  closed(generation: number, code: number): void;
  failed(generation: number, status: number | null): void;
}

/** A half-open socket never ends by a close alone; workerd ends it when its request is aborted. */
const ABORT_AFTER_MS = 1000;

interface Call {
  generation: number;
  abort: AbortController;
  wire: Wire | null;
}

/** Holds at most one socket. */
export class Line {
  readonly #upgrade: Upgrade;
  readonly #timers: Timers;
  readonly #ears: LineEars;
  #call: Call | null = null;

  constructor(upgrade: Upgrade, timers: Timers, ears: LineEars) {
    this.#upgrade = upgrade;
    this.#timers = timers;
    this.#ears = ears;
  }

  /** Opens a socket. One that is still there is closed. */
  open(generation: number, url: string): void {
    this.hangUp(4000);
    const call: Call = { generation, abort: new AbortController(), wire: null };
    this.#call = call;
    this.#upgrade(url, call.abort.signal).then(
      ({ wire, status }) => (wire ? this.#take(call, wire) : this.#lost(call, status)),
      () => this.#lost(call, null),
    );
  }

  /** Sends, if this is the current socket. A socket that refuses is reported as failed. */
  send(generation: number, text: string): void {
    const call = this.#call;
    if (call?.generation !== generation) return;
    try {
      call.wire?.send(text);
    } catch {
      // Not now: the session is in the middle of a step.
      queueMicrotask(() => this.#lost(call, null));
    }
  }

  /** Drops every reference, closes with the code, and ends the request a second later. Without a socket, nothing happens. */
  hangUp(code: 1000 | 4000): void {
    const call = this.#call;
    if (!call) return;
    this.#call = null;
    // Nothing is there to be closed before the upgrade.
    if (!call.wire) call.abort.abort();
    else {
      end(call, code);
      this.#timers.after(ABORT_AFTER_MS, () => call.abort.abort());
    }
  }

  #take(call: Call, wire: Wire): void {
    if (call !== this.#call) {
      wire.accept();
      end({ ...call, wire }, 4000);
      call.abort.abort();
      return;
    }
    call.wire = wire;
    const { generation } = call;
    const ears = this.#ears;
    wire.addEventListener("message", ({ data }) => {
      if (call === this.#call) ears.text(generation, typeof data === "string" ? data : null);
    });
    wire.addEventListener("close", ({ code }) => {
      if (call !== this.#call) return;
      this.#call = null;
      // Answers Discord's close, where the runtime has not done it.
      end(call);
      ears.closed(generation, code);
    });
    wire.addEventListener("error", () => this.#lost(call, null));
    // What came before this is kept (workerd) and delivered after the session knows of the socket.
    ears.opened(generation);
    if (call === this.#call) wire.accept();
  }

  #lost(call: Call, status: number | null): void {
    if (call !== this.#call) return;
    this.#call = null;
    if (call.wire) end(call, 4000);
    call.abort.abort();
    this.#ears.failed(call.generation, status);
  }
}

function end({ wire }: Call, code?: number): void {
  try {
    wire?.close(code);
  } catch {
    // It is closed already.
  }
}
