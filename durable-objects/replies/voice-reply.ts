// The reply of a persona with a scene of its own. Its way is found when there is something to say and stored with the turn, so
// that a later life edits by the same one.
import type { Delivered } from "../../src/discord/delivery/parts-ledger.ts";
import type { Pump } from "../../src/discord/delivery/pump.ts";
import type { Reply, ReplyView } from "../../src/turn/ports.ts";

/** What the rest of the object asks of a reply. */
export type TurnReply = Reply &
  Pick<Pump, "finish" | "abandon" | "wait" | "renew" | "ask" | "isByBot" | "outlivesToken" | "shownUpTo">;

/** How a reply comes to its voice. */
export interface VoiceParams {
  /** Messages of it may be in Discord already. */
  hasParts: boolean;
  /** Finds the way to speak and stores it. `superseded`: the turn is another life's; `mute`: it may use none. Called until it answers. */
  find: () => Promise<Pump | "superseded" | "mute">;
  /** Told why that failed; the next word tries again. */
  onFailure: (error: unknown) => void;
}

/**
 * A reply whose way is found with its first word. A turn that ends without one leaves no message: its scene's first line says
 * how it ended.
 */
export class VoiceReply implements TurnReply {
  /** Resolves when its first message stands in Discord, or when it will have none: whoever speaks next comes after it. */
  readonly begun: Promise<void>;
  /** It hangs on no token that a press could renew. */
  readonly isByBot = true;
  readonly outlivesToken = true;
  readonly #params: VoiceParams;
  #hasBegun = () => {};
  #finding: Promise<Pump | "superseded" | "mute"> | null = null;
  #found: Pump | null = null;
  #view: ReplyView | null = null;
  #listener: (() => void) | null = null;
  #isAbandoned = false;

  constructor(params: VoiceParams) {
    this.#params = params;
    this.begun = new Promise((resolve) => {
      this.#hasBegun = resolve;
    });
  }

  show(view: ReplyView): void {
    this.#view = view;
    if (this.#found) this.#found.show(view);
    else this.#find().catch(() => {});
  }

  async finish(view: ReplyView): Promise<Delivered> {
    const hasNothing = view.text.trim() === "" && !this.#finding && !this.#params.hasParts;
    const delivered = hasNothing ? ({ ok: true } as const) : await this.#finishFound(view);
    this.#hasBegun();
    return delivered;
  }

  async ask(view: ReplyView): Promise<void> {
    this.#view = null;
    const reply = await this.#find();
    if (typeof reply !== "string") await reply.ask(view);
  }

  postedText(): string {
    return this.#found?.postedText() ?? "";
  }

  shownUpTo(): number[] {
    return this.#found?.shownUpTo() ?? [];
  }

  onAccepted(listener: (() => void) | null): void {
    this.#listener = listener;
  }

  abandon(): void {
    this.#isAbandoned = true;
    this.#hasBegun();
    this.#found?.abandon();
  }

  wait(): void {}

  renew(): void {}

  async #finishFound(view: ReplyView): Promise<Delivered> {
    this.#view = null;
    const reply = await this.#find();
    if (reply === "mute") return { ok: false, reason: "refused" };
    return reply === "superseded" || this.#isAbandoned ? { ok: false, reason: "superseded" } : reply.finish(view);
  }

  #find(): Promise<Pump | "superseded" | "mute"> {
    this.#finding ??= this.#params.find().then(
      (reply) => this.#take(reply),
      (error: unknown) => {
        this.#finding = null;
        this.#params.onFailure(error);
        throw error;
      },
    );
    return this.#finding;
  }

  #take(reply: Pump | "superseded" | "mute"): Pump | "superseded" | "mute" {
    if (typeof reply === "string") return reply;
    if (this.#isAbandoned) reply.abandon();
    this.#found = reply;
    reply.onAccepted(() => {
      this.#hasBegun();
      this.#listener?.();
    });
    if (this.#view) reply.show(this.#view);
    return reply;
  }
}
