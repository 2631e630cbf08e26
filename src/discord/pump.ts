// Paces one reply into Discord: one request in flight, always the newest text, each message created at most once. Keeps
// going until Discord has the last word or can't have it. Knows nothing of models or turns.
import { ACKNOWLEDGEMENT_RACE_MS } from "../core/limits.ts";
import { say } from "../core/outcome.ts";
import { createSplitter } from "../core/split.ts";
import type { Clock, Log, Reply, ReplyView, Timers } from "../turn/ports.ts";
import { planParts, type WantedPart } from "./delivery-plan.ts";
import { type NextRequest, nextRequest } from "./next-request.ts";
import { Pace } from "./pace.ts";
import { bodyOf, type Posted, plainBodyOf } from "./part-body.ts";
import type { Delivered } from "./parts-ledger.ts";
import { ReplyWay, type ReplyWayParams } from "./reply-way.ts";
import type { MessageBody, RestResult, SentMessage } from "./rest.ts";
import { sendFailureOf } from "./send-failure.ts";

/** What one reply needs. `acknowledgedAt` is when the deferred response was given. */
export interface PumpParams extends ReplyWayParams {
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** The person deleted the reply, the channel is lost, or Discord's filters will not have the text. */
  onGone: () => void;
}

type Verdict = "sent" | "again" | Exclude<Delivered, { ok: true }>["reason"];

/** One reply, from the first sign of waiting to the last word. No method throws. */
export class Pump implements Reply {
  readonly #params: PumpParams;
  readonly #pace: Pace;
  readonly #way: ReplyWay;
  readonly #posted: Posted[];
  /** A followup whose creation has an unknown outcome: it may exist, we can't edit it, and it is never sent again. */
  #lost: boolean;
  /** Creations with an unknown outcome that may be repeated: the bot's own, by their nonce. */
  readonly #unsure: Set<number>;
  /** An answer grows and is looked at before each request: what of it is full is split once. */
  readonly #split = createSplitter();
  #view: ReplyView | null = null;
  #final = false;
  #over: Delivered | null = null;
  #running: Promise<void> | null = null;
  #onAccepted: (() => void) | null = null;
  #wake = () => {};
  /** Discord's filters will not have this text: a neutral line stands in its stead from now on. */
  #isBlocked = false;
  /** Discord refused a message of ours for its form: the words alone are tried once. */
  #isPlain = false;

  constructor(params: PumpParams) {
    this.#params = params;
    this.#pace = new Pace(params.clock, params.random);
    this.#way = new ReplyWay(params);
    const parts = params.ledger.parts();
    const isOpen = (index: number) => this.#way.mayRepeat(index, params.clock());
    this.#posted = parts.filter((_, index) => !isOpen(index)).map(() => unknownPost);
    this.#unsure = new Set(parts.flatMap((_, index) => (isOpen(index) ? [index] : [])));
    this.#lost = parts.some(({ state }, index) => state === "sending" && !isOpen(index));
    if (parts[0]?.state === "sending" && !isOpen(0)) this.#over = { ok: false, reason: "lost" };
  }

  show(view: ReplyView): void {
    if (this.#final || this.#over) return;
    if (!this.#view) this.#pace.begin();
    // The present pause may be for the slower pace of what was to be shown before.
    if (view.gapMs !== this.#view?.gapMs) this.#wake();
    this.#view = view;
    void this.#kick();
  }

  /** Shows the last view and takes the buttons away; resolves when Discord has it all or it can't be had. Once only. */
  async finish(view: ReplyView): Promise<Delivered> {
    this.#view = view;
    this.#final = true;
    this.#wake();
    await this.#kick();
    return this.#over ?? { ok: true };
  }

  /** Shows a view that waits for an answer; resolves when Discord has it or it can't be had. */
  async ask(view: ReplyView): Promise<void> {
    this.show(view);
    await this.#kick();
  }
  /** The reply can be edited when the token is over. */
  get outlivesToken(): boolean {
    return this.#way.outlivesToken;
  }

  onAccepted(listener: (() => void) | null): void {
    this.#onAccepted = listener;
  }

  postedText(): string {
    return (this.#view?.text ?? "").slice(0, Math.max(0, ...this.#posted.map((part) => part.endsAt)));
  }

  /** Sends nothing any more; for a life that was superseded. */
  abandon(): void {
    this.#over ??= { ok: false, reason: "superseded" };
    this.#wake();
  }

  #kick(): Promise<void> {
    this.#running ??= this.#drive();
    return this.#running;
  }

  async #drive(): Promise<void> {
    // A drive that ends before `#kick` has noted it would be noted for ever.
    await Promise.resolve();
    try {
      for (let next = this.#nextRequest(); next; next = this.#nextRequest()) {
        const wait = this.#readyAt(next) - this.#params.clock();
        if (wait > 0) {
          await this.#pause(wait);
          continue;
        }
        const verdict = await this.#send(next);
        if (verdict === "sent" || verdict === "again") continue;
        this.#over ??= { ok: false, reason: verdict };
        if (verdict === "gone") this.#params.onGone();
      }
    } finally {
      // In the tick of the last look: a view that comes any later starts a new drive.
      this.#running = null;
    }
  }

  /** The request that brings Discord closer to the view, or null when nothing is left to send. */
  #nextRequest(): NextRequest | null {
    if (!this.#view || this.#over) return null;
    const view = this.#isBlocked ? { text: "", line: say.blocked } : this.#view;
    const how = { final: this.#final, lost: this.#lost };
    const wanted = planParts({ ...view, ...how }, this.#split);
    return nextRequest({ wanted, posted: this.#posted, isDeferred: this.#way.isDeferred, ...how });
  }

  #readyAt({ kind }: NextRequest): number {
    return this.#pace.readyAt({ isEdit: kind === "edit", isFinal: this.#final, gapMs: this.#view?.gapMs ?? 0 });
  }

  /** Waits, unless the last view or the end of the reply comes first. */
  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#params.timers.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = () => {};
  }

  async #send(next: NextRequest): Promise<Verdict> {
    const { clock, ledger } = this.#params;
    if (clock() >= this.#way.endsAt) return this.#afterToken();
    if (next.kind === "create" && !ledger.sending(next.index)) return "superseded";
    this.#pace.sending(next.kind === "edit");
    const result = await this.#request(next);
    return this.#over ? "again" : this.#judge(next, result);
  }

  #request(next: NextRequest): Promise<RestResult> {
    switch (next.kind) {
      case "edit":
        return this.#way.edit(next.index, this.#bodyOf(next.index, next.part));
      case "create":
        return this.#way.create(next.index, this.#bodyOf(next.index, next.part));
      case "delete":
        return this.#way.remove(next.index);
    }
  }

  #bodyOf(index: number, part: WantedPart): MessageBody {
    if (this.#isPlain) return plainBodyOf(part);
    return bodyOf(part, this.#posted[index], index === 0 ? this.#params.turnId : null);
  }

  #judge(next: NextRequest, result: RestResult): Verdict {
    if (result.ok) return this.#accepted(next, result.message);
    const { acknowledgedAt, clock, log } = this.#params;
    const failure = sendFailureOf(result);
    switch (failure) {
      case "unknown_outcome":
        if (next.kind === "create" && !this.#way.mayRepeat(next.index, clock())) {
          // Without its first message a reply can't be edited into anything.
          if (next.index === 0) return "lost";
          this.#lost = true;
        }
        if (next.kind === "create") this.#unsure.add(next.index);
        return this.#again(this.#pace.failed());
      case "limited":
        return this.#again(this.#pace.limited(result.kind === "refused" ? result.retryAfterMs : null));
      case "webhook_unknown":
        return clock() < acknowledgedAt + ACKNOWLEDGEMENT_RACE_MS ? this.#again(this.#pace.failed()) : "gone";
      case "message_gone":
        return next.kind === "delete" ? this.#accepted(next, { id: "", ephemeral: false }) : "gone";
      case "channel_gone":
        return "gone";
      case "token_expired":
        return this.#afterToken();
      case "blocked": {
        if (this.#isBlocked) return "refused";
        this.#isBlocked = true;
        this.#params.onGone();
        return "again";
      }
      case "refused": {
        log.error("Discord refused a message", detailOf(result));
        if (this.#isPlain || next.kind === "delete") return "refused";
        this.#isPlain = true;
        return "again";
      }
    }
  }

  #accepted(next: NextRequest, message: Pick<SentMessage, "id" | "ephemeral">): Verdict {
    const { ledger } = this.#params;
    this.#pace.succeeded();
    this.#way.saw(next.index, message);
    this.#onAccepted?.();
    if (next.kind === "delete") {
      this.#posted.pop();
      return "sent";
    }
    // The message that a repeated creation found may have the text of an earlier try.
    this.#posted[next.index] = this.#unsure.delete(next.index) ? unknownPost : next.part;
    this.#isPlain = false;
    return ledger.parts()[next.index]?.id === message.id || ledger.sent(next.index, message.id) ? "sent" : "superseded";
  }

  #afterToken(): Verdict {
    return this.#way.goOn() ? "again" : "token_expired";
  }

  /** A wait that the token does not outlive is not begun: whoever waits for the last words learns it now. */
  #again(at: number): Verdict {
    return at < this.#way.endsAt ? "again" : this.#afterToken();
  }
}

const detailOf = (result: RestResult) =>
  "status" in result ? { status: result.status, code: result.code, text: result.text } : {};

/** Of a message that is there but was not sent by this life, or not with these words. */
const unknownPost: Posted = { content: null, endsAt: 0, stopButton: null, file: null };
