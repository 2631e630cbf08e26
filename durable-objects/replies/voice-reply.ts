// The reply of a persona. Its voice is found once there is text to post, and is stored with the turn, so that a later life edits with the
// same voice.
import type { Buttons } from "../../src/discord/components.ts";
import type { Delivered } from "../../src/discord/delivery/parts-ledger.ts";
import type { Pump } from "../../src/discord/delivery/pump.ts";
import type { Reply, ReplyView } from "../../src/turn/ports.ts";

export type { Delivered } from "../../src/discord/delivery/parts-ledger.ts";

/** The part of a reply that the rest of the object uses. */
export type TurnReply = Reply &
  Pick<Pump, "finish" | "abandon" | "wait" | "renew" | "ask" | "isByBot" | "outlivesToken" | "shownUpTo">;

/** Returns why Discord doesn't show the whole final text; null if it does. */
export function undeliveredBecause(delivered: Delivered): string | null {
  if (!delivered.ok) return delivered.reason;
  return delivered.isBlocked ? "blocked" : null;
}

/** How a reply gets its voice. */
export interface VoiceParams {
  /** Whether a turn without text may leave no message: a header says how it ended, and none of its messages is in Discord yet. */
  mayStayEmpty: boolean;
  /** Finds the voice and stores it. `superseded`: another life owns the turn; `mute`: it has no voice. Called until it doesn't throw. */
  find: () => Promise<Pump | "superseded" | "mute">;
  /** Called with the error when that failed; the next text tries again. */
  onFailure: (error: unknown) => void;
}

/**
 * A reply that finds its voice when it first has text. In a scene a turn that ends without text leaves no message: the scene's header
 * says how it ended.
 */
export class VoiceReply implements TurnReply {
  /** Resolves when its final text is in Discord, or never will be. The next speaker waits for it. */
  readonly over: Promise<void>;
  /** It needs no token that a click would have to renew. */
  readonly isByBot = true;
  readonly outlivesToken = true;
  readonly #params: VoiceParams;
  #endIt = () => {};
  #finding: Promise<Pump | "superseded" | "mute"> | null = null;
  #found: Pump | null = null;
  #view: ReplyView | null = null;
  #listener: (() => void) | null = null;
  #isAbandoned = false;

  constructor(params: VoiceParams) {
    this.#params = params;
    this.over = new Promise((resolve) => {
      this.#endIt = resolve;
    });
  }

  show(view: ReplyView): void {
    this.#view = view;
    if (this.#found) this.#found.show(view);
    else this.#find().catch(() => {});
  }

  async finish(view: ReplyView, buttons: Buttons = []): Promise<Delivered> {
    const hasNothing = view.text.trim() === "" && !view.files && !this.#finding && this.#params.mayStayEmpty;
    const delivered = hasNothing ? ({ ok: true } as const) : await this.#finishFound(view, buttons);
    this.#endIt();
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
    this.#endIt();
    this.#found?.abandon();
  }

  wait(): void {}

  renew(): void {}

  async #finishFound(view: ReplyView, buttons: Buttons): Promise<Delivered> {
    this.#view = null;
    const reply = await this.#find();
    if (reply === "mute") return { ok: false, reason: "refused" };
    return reply === "superseded" || this.#isAbandoned
      ? { ok: false, reason: "superseded" }
      : reply.finish(view, buttons);
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
    reply.onAccepted(() => this.#listener?.());
    if (this.#view) reply.show(this.#view);
    return reply;
  }
}
