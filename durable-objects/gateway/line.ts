// The gateway's one WebSocket. Each socket has the generation that the session gave it. Nothing is heard from an older one, because it is
// dropped here before it is closed. Doesn't know what frames mean.
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

/** Requests a WebSocket. `wire` is null if it was refused. Rejects without an answer, and when the signal fires. */
export type Upgrade = (url: string, signal: AbortSignal) => Promise<{ wire: Wire | null; status: number }>;

/** Listens to the socket. Never called from inside another call to the line. */
export interface LineEars {
  opened(generation: number): void;
  /** A frame's text; null if the frame is binary. */
  text(generation: number, text: string | null): void;
  closed(generation: number, code: number): void;
  failed(generation: number, status: number | null): void;
}

/** A close alone never ends a half-open socket; workerd ends it when its request is aborted. */
const ABORT_AFTER_MS = 1000;

interface Call {
  generation: number;
  abort: AbortController;
  wire: Wire | null;
}

/** Keeps at most one socket. */
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

  /** Opens a socket. If there still is one, it is closed first. */
  open(generation: number, url: string): void {
    this.hangUp(4000);
    const call: Call = { generation, abort: new AbortController(), wire: null };
    this.#call = call;
    this.#upgrade(url, call.abort.signal).then(
      ({ wire, status }) => (wire ? this.#take(call, wire) : this.#lost(call, status)),
      () => this.#lost(call, null),
    );
  }

  /** Sends if this is the current socket. A socket that refuses is reported as failed. */
  send(generation: number, text: string): void {
    const call = this.#call;
    if (call?.generation !== generation) return;
    try {
      call.wire?.send(text);
    } catch {
      // Reported later, because the session is in the middle of a step.
      queueMicrotask(() => this.#lost(call, null));
    }
  }

  /** Drops every reference, closes with the code, and ends the request a second later. Without a socket, nothing happens. */
  hangUp(code: 1000 | 4000): void {
    const call = this.#call;
    if (!call) return;
    this.#call = null;
    // Before the upgrade there is nothing to close.
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
      // Answers Discord's close, in case the runtime has not.
      end(call);
      ears.closed(generation, code);
    });
    wire.addEventListener("error", () => this.#lost(call, null));
    // Frames that came before `accept` are kept (workerd) and delivered once the session knows about the socket.
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
    // The socket is already closed.
  }
}
