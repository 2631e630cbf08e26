// Paces one reply into Discord: one request in flight, always the newest text, each message created at most once. Keeps
// going until Discord has the last word or can't have it. Knows nothing of models or turns.
import {
  ACKNOWLEDGEMENT_RACE_MS,
  EDIT_GAP_MS,
  FIRST_EDIT_GRACE_MS,
  SEND_GAP_MS,
  TOKEN_LIFE_MS,
} from "../core/limits.ts";
import type { DeliveredPart } from "../core/record.ts";
import type { Clock, Log, Reply, ReplyView, Timers } from "../turn/ports.ts";
import { stopRow } from "./components.ts";
import { planParts, type WantedPart } from "./delivery-plan.ts";
import type { DiscordRest, MessageBody, ReplyRoute, RestResult } from "./rest.ts";

/** Where the pump writes down what it creates. Both answer false when the turn is not ours any more. */
export interface PartsLedger {
  parts(): DeliveredPart[];
  /** Stands before a create in the same tick, so that a life that dies in between leaves a trace of it. */
  sending(index: number): boolean;
  sent(index: number, id: string): boolean;
}

/** What one reply needs. `acknowledgedAt` is when the deferred response was given. */
export interface PumpParams {
  rest: DiscordRest;
  route: ReplyRoute;
  turnId: string;
  acknowledgedAt: number;
  ledger: PartsLedger;
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** The person deleted the reply, or the channel is lost. */
  onGone: () => void;
}

/**
 * What became of the last words. `gone`: the person deleted the reply or the channel is lost. `refused`: Discord will not take
 * this message. `superseded`: another life writes this reply.
 */
export type Delivered = { ok: true } | { ok: false; reason: "gone" | "token_expired" | "refused" | "superseded" };

/** What Discord shows of one message, as far as we know; null: an earlier life sent it and we don't know. */
interface Posted {
  content: string | null;
  textLength: number;
  stopButton: boolean | null;
  file: string | null;
}

interface NextRequest {
  index: number;
  part: WantedPart;
  kind: "original" | "create" | "followup";
}

type Verdict = "sent" | "again" | Exclude<Delivered, { ok: true }>["reason"];

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;
const UNKNOWN_WEBHOOK = 10015;
const INVALID_TOKEN = 50027;
/** Unknown channel, unknown message. */
const GONE = new Set([10003, 10008]);

/** One reply, from the first sign of waiting to the last word. No method throws. */
export class Pump implements Reply {
  readonly #params: PumpParams;
  readonly #posted: Posted[];
  /** A followup whose creation has an unknown outcome: it may exist, we can't edit it, and it is never sent again. */
  #lost: boolean;
  #view: ReplyView | null = null;
  #final = false;
  #over: Delivered | null = null;
  #running: Promise<void> | null = null;
  #wake = () => {};
  #firstShownAt = 0;
  #lastEditAt = Number.NEGATIVE_INFINITY;
  #lastSendAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(params: PumpParams) {
    this.#params = params;
    const parts = params.ledger.parts();
    this.#posted = parts.map(() => ({ content: null, textLength: 0, stopButton: null, file: null }));
    this.#lost = parts.some((part) => part.state === "sending");
  }

  show(view: ReplyView): void {
    if (this.#final || this.#over) return;
    if (!this.#view) this.#firstShownAt = this.#params.clock();
    this.#view = view;
    void this.#kick();
  }

  /** Shows the last view and takes the buttons away; resolves when Discord has it all or it can't be had. Once only. */
  async finish(view: ReplyView): Promise<Delivered> {
    this.#view = view;
    this.#final = true;
    this.#wake();
    await this.#kick();
    // The drive that was running may have looked for the last time just before the view changed.
    await this.#kick();
    return this.#over ?? { ok: true };
  }

  postedText(): string {
    return (this.#view?.text ?? "").slice(
      0,
      this.#posted.reduce((sum, part) => sum + part.textLength, 0),
    );
  }

  /** Sends nothing any more; for a life that was superseded. */
  abandon(): void {
    this.#over ??= { ok: false, reason: "superseded" };
    this.#wake();
  }

  #kick(): Promise<void> {
    this.#running ??= this.#drive().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #drive(): Promise<void> {
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
  }

  /** The request that brings Discord closer to the view, or null when nothing is left to send. */
  #nextRequest(): NextRequest | null {
    if (!this.#view || this.#over) return null;
    const wanted = planParts({ ...this.#view, final: this.#final, lost: this.#lost });
    const stale = wanted.findIndex((part, index) => this.#isStale(part, index));
    const first = wanted[0];
    if (stale < 0) {
      if (!first || first.stopButton === this.#posted[0]?.stopButton) return null;
      return { index: 0, part: first, kind: "original" };
    }
    const part = wanted[stale];
    if (!part) return null;
    if (stale > 0) return { index: stale, part, kind: this.#posted[stale] ? "followup" : "create" };
    // The Stop button stays on the first message until every other part is there.
    const isLastOne = wanted.every((other, index) => index === 0 || !this.#isStale(other, index));
    return { index: 0, part: { ...part, stopButton: !isLastOne || part.stopButton }, kind: "original" };
  }

  #isStale(part: WantedPart, index: number): boolean {
    const posted = this.#posted[index];
    return posted?.content !== part.content || posted.file !== part.file;
  }

  #readyAt({ kind }: NextRequest): number {
    const nothingSent = this.#lastSendAt === Number.NEGATIVE_INFINITY;
    const grace = nothingSent && !this.#final ? this.#firstShownAt + FIRST_EDIT_GRACE_MS : 0;
    const edit = kind === "create" ? 0 : this.#lastEditAt + Math.max(EDIT_GAP_MS, this.#view?.gapMs ?? 0);
    return Math.max(grace, edit, this.#lastSendAt + SEND_GAP_MS, this.#notBefore);
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
    const { clock, acknowledgedAt, ledger, rest, route } = this.#params;
    if (clock() >= acknowledgedAt + TOKEN_LIFE_MS) return "token_expired";
    if (next.kind === "create" && !ledger.sending(next.index)) return "superseded";
    this.#lastSendAt = clock();
    if (next.kind !== "create") this.#lastEditAt = this.#lastSendAt;
    const body = this.#bodyOf(next);
    const result =
      next.kind === "original"
        ? await rest.editOriginal(route, body)
        : next.kind === "create"
          ? await rest.createFollowup(route, body)
          : await rest.editFollowup(route, ledger.parts()[next.index]?.id ?? "", body);
    return this.#over ? "again" : this.#judge(next, result);
  }

  /** Only what changes: an edit that leaves the content out leaves it as it is. */
  #bodyOf({ index, part }: NextRequest): MessageBody {
    const posted = this.#posted[index];
    const body: MessageBody = {};
    if (this.#isStale(part, index)) {
      body.content = part.content;
      if (part.file !== null) body.file = { name: "answer.md", text: part.file };
    }
    if (index === 0 && part.stopButton !== (posted?.stopButton ?? null))
      body.components = part.stopButton ? stopRow(this.#params.turnId) : [];
    return body;
  }

  #judge(next: NextRequest, result: RestResult): Verdict {
    if (result.ok) return this.#accepted(next, result.message.id);
    if (result.kind === "unreachable" || result.status >= 500) {
      if (next.kind === "create") this.#lost = true;
      return this.#backOff(null);
    }
    if (result.status === 429) return this.#backOff(result.retryAfterMs);
    if (result.code === INVALID_TOKEN) return "token_expired";
    if (GONE.has(result.code)) return "gone";
    const { acknowledgedAt, clock, log } = this.#params;
    if (result.code === UNKNOWN_WEBHOOK)
      return clock() < acknowledgedAt + ACKNOWLEDGEMENT_RACE_MS ? this.#backOff(null) : "gone";
    log.error("Discord refused a message", { status: result.status, code: result.code, text: result.text });
    return "refused";
  }

  #accepted({ index, part }: NextRequest, id: string): Verdict {
    const { ledger } = this.#params;
    this.#failures = 0;
    this.#posted[index] = part;
    return ledger.parts()[index]?.id === id || ledger.sent(index, id) ? "sent" : "superseded";
  }

  #backOff(retryAfterMs: number | null): "again" {
    const { clock, random } = this.#params;
    const own = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures) * (0.5 + random() / 2);
    this.#failures++;
    this.#notBefore = clock() + (retryAfterMs ?? own);
    return "again";
  }
}
