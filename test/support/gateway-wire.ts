// Sockets of the local Gateway inside a test's process, as workerd gives them to the object: frames that arrive before `accept` are kept, a
// frozen socket never closes by itself, and aborting its request closes it at once.
import type { Upgrade, Wire } from "../../durable-objects/gateway/line.ts";
import type { LocalGateway } from "../../src/playground/gateway/gateway.ts";

type Listener = (event: never) => void;

class FakeWire implements Wire {
  isFrozen = false;
  isOver = false;
  readonly #listeners: [string, Listener][] = [];
  readonly #socket: ReturnType<LocalGateway["open"]>;
  #kept: (() => void)[] | null = [];

  constructor(gateway: LocalGateway, url: string) {
    this.#socket = gateway.open(
      {
        send: (text) => this.deliver("message", { data: text }),
        close: (code) => this.end(code),
        drop: () => this.end(1006),
      },
      url,
    );
  }

  accept(): void {
    const kept = this.#kept ?? [];
    this.#kept = null;
    for (const one of kept) queueMicrotask(one);
  }

  send(text: string): void {
    if (this.isOver) throw new TypeError("Can't call WebSocket send() after close().");
    if (!this.isFrozen) this.#socket.receive(text);
  }

  close(code = 1005): void {
    if (this.isOver || this.isFrozen) return;
    this.isOver = true;
    this.#socket.closed(code);
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener]);
  }

  /** The socket ends at Discord's side, or between the two. */
  end(code: number): void {
    if (this.isOver || (this.isFrozen && code !== 1006)) return;
    this.isOver = true;
    this.#socket.closed(code);
    this.deliver("close", { code });
  }

  /** Delivers it as an event: never in the middle of another one. */
  deliver(type: string, event: object): void {
    if (this.isFrozen && type === "message") return;
    const fire = () => {
      for (const [of, listener] of this.#listeners) if (of === type) listener(event as never);
    };
    if (this.#kept) this.#kept.push(fire);
    else queueMicrotask(fire);
  }
}

/** All sockets of a test. */
export class FakeWires {
  /** What the next requests for a socket get: a status, a refused connection, or no answer. */
  readonly upgrades: (number | "refused" | "mute")[] = [];
  readonly all: FakeWire[] = [];
  readonly #gateway: LocalGateway;

  constructor(gateway: LocalGateway) {
    this.#gateway = gateway;
  }

  /** The newest socket. */
  get last(): FakeWire {
    const last = this.all.at(-1);
    if (!last) throw new Error("no socket was opened");
    return last;
  }

  readonly upgrade: Upgrade = async (url, signal) => {
    const answer = this.upgrades.shift() ?? this.#gateway.refusesUpgrade();
    if (typeof answer === "number") return { wire: null, status: answer };
    if (answer === "refused") throw new Error("Network connection lost.");
    if (answer === "mute")
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const wire = new FakeWire(this.#gateway, url);
    this.all.push(wire);
    signal.addEventListener("abort", () => wire.end(1006));
    return { wire, status: 101 };
  };

  /** Closes all sockets for Discord's side, as when the object dies. */
  breakAll(): void {
    for (const wire of this.all) wire.end(1006);
  }
}
