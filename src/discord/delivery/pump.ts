// Paces one reply into Discord: one request in flight, always the newest text, each message created at most once. Keeps
// going until Discord has the last word or can't have it. Knows nothing of models or turns.
import { ACKNOWLEDGEMENT_RACE_MS } from "../../core/limits.ts";
import type { Clock, Log, Reply, ReplyView, Timers } from "../../turn/ports.ts";
import type { Buttons } from "../components.ts";
import type { InteractionEndpoint, RestResult, SentMessage } from "../rest/rest.ts";
import { decideSendFailure, failureDetail } from "../rest/send-failure.ts";
import type { NextRequest } from "./next-request.ts";
import { Pace } from "./pace.ts";
import { buildPartBody, buildPlainBody } from "./part-body.ts";
import type { Delivered } from "./parts-ledger.ts";
import { Pause } from "./pause.ts";
import { PostedParts } from "./posted-parts.ts";
import { ReplyContent, type ReplyContentParams } from "./reply-content.ts";
import { ReplyRoute, type ReplyRouteParams } from "./reply-route.ts";

/** What one reply needs. */
export interface PumpParams extends ReplyRouteParams, ReplyContentParams {
  clock: Clock;
  timers: Timers;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Log;
  /** The person deleted the reply, the channel is lost, or Discord's filters will not have the text. */
  onGone: (why: "gone" | "no_access") => void;
}

type Verdict = "sent" | "again" | Exclude<Delivered, { ok: true }>["reason"];

/** One reply, from the first sign of waiting to the last word. No method throws. */
export class Pump implements Reply {
  readonly #params: PumpParams;
  readonly #pace: Pace;
  readonly #pause: Pause;
  readonly #way: ReplyRoute;
  readonly #content: ReplyContent;
  readonly #posted: PostedParts;
  #over: Delivered | null = null;
  #running: Promise<void> | null = null;
  #onAccepted: (() => void) | null = null;
  /** Discord refused a message of ours for its form: the words alone are tried once. */
  #isPlain = false;

  constructor(params: PumpParams) {
    this.#params = params;
    this.#pace = new Pace(params.clock, params.random);
    this.#pause = new Pause(params.timers);
    this.#way = new ReplyRoute(params);
    this.#content = new ReplyContent({ ...params, waits: params.waits && this.#way.hasToken });
    this.#posted = new PostedParts(params.ledger, (index) => this.#way.mayRepeat(index, params.clock()));
    if (this.#posted.isUnreachable) this.#over = { ok: false, reason: "lost" };
  }

  show(view: ReplyView): void {
    const content = this.#content;
    if (content.isFinal) return;
    if (content.isEmpty) this.#pace.begin();
    // The present pause may be for the slower pace of what was to be shown before.
    if (view.gapMs !== content.gapMs) this.#pause.end();
    if (content.show(view)) void this.#kick();
  }

  /** Shows the last view with these buttons; resolves when Discord has it all or it can't be had. Once only. */
  async finish(view: ReplyView, buttons: Buttons = []): Promise<Delivered> {
    this.#content.finish(view, buttons);
    this.#pause.end();
    await this.#kick();
    return this.#over ?? (this.#content.waits ? { ok: false, reason: "token_expired" } : { ok: true });
  }

  /** The token nears its end: what stands there now asks for a press, and nothing more is shown until one comes. */
  wait(): void {
    if (this.#content.isFinal || this.#way.isByBot || !this.#way.hasToken) return;
    this.#content.wait();
    this.#pause.end();
    void this.#kick();
  }

  /** Goes on with the token of a press, whose effect on the parts is written down already. */
  renew(route: InteractionEndpoint, at: number): void {
    if (!this.#way.hasToken) return;
    this.#way.renew(route, at);
    this.#content.resume();
    this.#pace.renewed();
    this.#posted.lookAgain();
    if (this.#over?.ok === false && this.#over.reason === "token_expired") this.#over = null;
    this.#pause.end();
    void this.#kick();
  }

  /** By the bot's own token: no press is needed any more. */
  get isByBot(): boolean {
    return this.#way.isByBot && this.#over === null;
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
    const { length } = this.#params.speakerLabel ?? "";
    return (this.#content.view?.text ?? "").slice(0, Math.max(0, ...this.shownUpTo())).slice(length);
  }

  /** Up to where in the answer each message shows it. */
  shownUpTo(): number[] {
    return this.#posted.all.map(({ endsAt }) => endsAt);
  }

  /** Sends nothing any more; for a life that was superseded. */
  abandon(): void {
    this.#over ??= { ok: false, reason: "superseded" };
    this.#pause.end();
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
        const at = this.#readyAt(next);
        // A wait that the token does not outlive is not begun: whoever waits for the last words learns it now.
        const now = this.#params.clock();
        const isLate = Math.max(at, now) >= this.#way.expiresAt;
        if (!isLate && at > now) {
          await this.#pause.wait(at - now);
          continue;
        }
        const verdict = isLate ? this.#afterToken() : await this.#send(next);
        if (verdict === "sent" || verdict === "again") continue;
        this.#over ??= { ok: false, reason: verdict };
        if (verdict === "gone" || verdict === "no_access") this.#params.onGone(verdict);
      }
    } finally {
      // In the tick of the last look: a view that comes any later starts a new drive.
      this.#running = null;
    }
  }

  #nextRequest(): NextRequest | null {
    return this.#over ? null : this.#content.next(this.#posted, this.#way);
  }

  #readyAt({ kind }: NextRequest): number {
    const { isFinal, gapMs = 0 } = this.#content;
    const pace = this.#pace.readyAt({ isEdit: kind === "edit", isFinal, gapMs });
    return Math.max(pace, this.#way.readyAt(kind));
  }

  async #send(next: NextRequest): Promise<Verdict> {
    const { ledger } = this.#params;
    if (next.kind === "create" && !ledger.sending(next.index)) return "superseded";
    this.#pace.sending(next.kind === "edit");
    const { openedAt } = this.#way;
    const result = await this.#request(next);
    if (this.#over) return "again";
    const verdict = this.#judge(next, result);
    // A way that was renewed meanwhile is not over because the last one was.
    return verdict === "token_expired" && openedAt !== this.#way.openedAt ? "again" : verdict;
  }

  #request(next: NextRequest): Promise<RestResult> {
    if (next.kind === "delete") return this.#way.remove(next.index);
    const { kind, index, part } = next;
    const body = this.#isPlain
      ? buildPlainBody(part)
      : buildPartBody(part, this.#posted.all[index], this.#params.turnId, kind === "create");
    return kind === "create" ? this.#way.create(index, body) : this.#way.edit(index, body);
  }

  #judge(next: NextRequest, result: RestResult): Verdict {
    if (result.ok) return this.#accepted(next, result.message);
    const { clock, log } = this.#params;
    const failure = decideSendFailure(result);
    switch (failure) {
      case "unknown_outcome":
        if (next.kind === "create") this.#posted.perhapsCreated(next.index);
        if (this.#posted.isUnreachable) return "lost";
        this.#pace.failed();
        return "again";
      case "limited":
        return "again";
      case "webhook_unknown":
        this.#pace.failed();
        return clock() < this.#way.openedAt + ACKNOWLEDGEMENT_RACE_MS ? "again" : "gone";
      case "message_gone":
        return next.kind === "delete" ? this.#accepted(next, { id: "", ephemeral: false }) : "gone";
      case "channel_gone":
        // The bot is no member where only a person has installed us; a press would still bring a way.
        return this.#way.isSecond ? "token_expired" : "no_access";
      case "token_expired":
        return this.#afterToken();
      case "followups_spent":
        this.#content.endWith(this.#posted.all.length);
        return "again";
      case "blocked":
        if (this.#content.isBlocked) return "refused";
        this.#content.block();
        this.#params.onGone("gone");
        return "again";
      case "refused":
        log.error("Discord refused a message", failureDetail(result));
        if (this.#isPlain || next.kind === "delete") return "refused";
        this.#isPlain = true;
        return "again";
    }
  }

  #accepted(next: NextRequest, message: Pick<SentMessage, "id" | "ephemeral">): Verdict {
    const { ledger } = this.#params;
    this.#pace.succeeded();
    this.#way.saw(next.index, message);
    this.#onAccepted?.();
    if (next.kind === "delete") {
      this.#posted.removedLast();
      return "sent";
    }
    this.#posted.accepted(next.index, next.part);
    this.#isPlain = false;
    return ledger.parts()[next.index]?.id === message.id || ledger.sent(next.index, message.id) ? "sent" : "superseded";
  }

  #afterToken(): Verdict {
    return this.#way.switchToBot() ? "again" : "token_expired";
  }
}
