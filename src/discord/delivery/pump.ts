// Sends one reply to Discord at a readable pace: one request in flight, always the newest text, each message created at most once. Continues
// until Discord has the last words or can't get them. Knows nothing of models or turns.
import { BOT_EDIT_GAP_MS, FIRST_EDIT_CHARS } from "../../core/limits.ts";
import type { Reply, ReplyView } from "../../turn/ports.ts";
import type { Buttons } from "../components.ts";
import type { InteractionEndpoint, RestResult, SentMessage } from "../rest/rest.ts";
import { decideSendFailure, failureDetail } from "../rest/send-failure.ts";
import { MessageForm } from "./message-form.ts";
import type { NextRequest } from "./next-request.ts";
import { Pace } from "./pace.ts";
import { hasFiles } from "./part-body.ts";
import type { Delivered } from "./parts-ledger.ts";
import { Pause } from "./pause.ts";
import { PostedParts } from "./posted-parts.ts";
import type { PumpParams } from "./pump-params.ts";
import { ReplyContent } from "./reply-content.ts";
import { ReplyRoute } from "./reply-route.ts";

type Verdict = "sent" | "again" | "later" | Exclude<Delivered, { ok: true }>["reason"];

/** One reply, from the first "thinking" to the last word. No method throws. */
export class Pump implements Reply {
  readonly #params: PumpParams;
  readonly #pace: Pace;
  readonly #pause: Pause;
  readonly #route: ReplyRoute;
  readonly #content: ReplyContent;
  readonly #posted: PostedParts;
  readonly #form = new MessageForm();
  #over: Delivered | null = null;
  #running: Promise<void> | null = null;
  #onAccepted: (() => void) | null = null;

  constructor(params: PumpParams) {
    this.#params = params;
    this.#pace = new Pace(params.clock, params.random, params.requests);
    this.#pause = new Pause(params.timers);
    this.#route = new ReplyRoute(params);
    this.#content = new ReplyContent({ ...params, waits: params.waits && this.#route.hasToken });
    this.#posted = new PostedParts(params.ledger, this.#route, params.clock, params.strayUntil);
    if (this.#posted.isUnreachable) this.#over = { ok: false, reason: "lost" };
  }

  show(view: ReplyView): void {
    const content = this.#content;
    if (content.isFinal) return;
    if (content.isEmpty) this.#pace.begin();
    // The current pause may be due to the slower pace of an earlier view, or to stray requests that could still undo it.
    const isEnough = view.text.length >= FIRST_EDIT_CHARS && this.#pace.hasEnough();
    if (isEnough || view.gapMs !== content.gapMs || !content.isPassing) this.#pause.end();
    if (content.show(view)) void this.#kick();
  }

  /** Shows the last view with these buttons. Resolves when Discord has all of it or can't get it. Call it only once. */
  async finish(view: ReplyView, buttons: Buttons = []): Promise<Delivered> {
    this.#content.finish(view, buttons);
    this.#pause.end();
    await this.#kick();
    return this.#over ?? this.#content.outcome;
  }

  /** Asks for a click because the token is about to expire, and shows nothing more until one comes. */
  wait(): void {
    if (this.#content.isFinal || this.#route.isByBot || !this.#route.hasToken) return;
    this.#content.wait();
    this.#pause.end();
    void this.#kick();
  }

  /** Continues with the token of a click. The caller has already recorded what the click changes in the parts. */
  renew(endpoint: InteractionEndpoint, at: number): void {
    if (!this.#route.hasToken) return;
    this.#route.renew(endpoint, at);
    this.#content.resume();
    this.#pace.renewed();
    this.#posted.lookAgain();
    if (this.#over?.ok === false && this.#over.reason === "token_expired") this.#over = null;
    this.#pause.end();
    void this.#kick();
  }

  /** Whether the bot's own token delivers the reply, so that no click is needed any more. */
  get isByBot(): boolean {
    return this.#route.isByBot && this.#over === null;
  }

  /** Shows a view that waits for a person's answer. Resolves when Discord has it or can't get it. */
  async ask(view: ReplyView): Promise<void> {
    this.show(view);
    await this.#kick();
  }

  /** Whether the reply can still be edited after the token expires. */
  get outlivesToken(): boolean {
    return this.#route.outlivesToken;
  }

  onAccepted(listener: (() => void) | null): void {
    this.#onAccepted = listener;
  }

  postedText(): string {
    return (this.#content.view?.text ?? "").slice(this.#content.lead.length, this.#posted.mayShowUpTo);
  }

  /** Returns for each message the position up to which it shows the answer. */
  shownUpTo(): number[] {
    return this.#posted.all.map(({ endsAt }) => endsAt);
  }

  /** Sends nothing more, because another life has taken over the turn. */
  abandon(): void {
    this.#over ??= { ok: false, reason: "superseded" };
    this.#pause.end();
  }

  #kick(): Promise<void> {
    this.#running ??= this.#drive();
    return this.#running;
  }

  async #drive(): Promise<void> {
    // Let `#kick` store this promise first: a drive that ended before that would stay stored forever.
    await Promise.resolve();
    try {
      while (!this.#over) {
        const next = this.#content.next(this.#posted, this.#route);
        // A growing answer will be edited again anyway, so it need not be settled.
        const at = next ? this.#readyAt(next) : this.#content.isPassing ? null : this.#posted.settledAt;
        if (at === null) break;
        // Don't begin a wait that outlasts the token: the caller of `finish` should learn that now.
        const now = this.#params.clock();
        const isLate = Math.max(at, now) >= this.#route.expiresAt;
        if (!isLate && at > now) {
          await this.#pause.wait(at - now);
          continue;
        }
        if (!next && isLate) break;
        if (!next) this.#posted.settle();
        const verdict = !next ? "again" : isLate ? this.#afterToken() : await this.#send(next);
        if (verdict === "later") this.#pace.failed();
        if (this.#over || verdict === "sent" || verdict === "again" || verdict === "later") continue;
        this.#over = { ok: false, reason: verdict };
        if (verdict === "gone" || verdict === "no_access") this.#params.onGone(verdict);
      }
    } catch (error) {
      this.#params.log.error("a reply was given up", { turnId: this.#params.turnId, error: String(error) });
      this.#over ??= { ok: false, reason: "lost" };
    } finally {
      // In the same tick as the last check: a view that comes later starts a new drive.
      this.#running = null;
    }
  }

  #readyAt({ kind }: NextRequest): number {
    const { isFinal, isPassing, gapMs = 0 } = this.#content;
    const leastMs = this.#route.isByBot ? BOT_EDIT_GAP_MS : 0;
    const pace = this.#pace.readyAt({ isEdit: kind === "edit", isPassing, isFinal, gapMs: Math.max(gapMs, leastMs) });
    return Math.max(pace, this.#route.readyAt(kind));
  }

  async #send(next: NextRequest): Promise<Verdict> {
    if (next.kind === "create" && this.#posted.isTooLate(next.index)) return this.#find(next);
    const isUnsure = this.#posted.isUnsure(next.index);
    if (next.kind === "create" && !this.#params.ledger.sending(next.index, isUnsure)) return "superseded";
    this.#form.begin(this.#content.isFinal);
    this.#pace.sending(next.kind === "edit");
    this.#posted.sending(next);
    const [{ openedAt }, sentAt] = [this.#route, this.#params.clock()];
    const result = await this.#request(next);
    if (this.#over) return "again";
    const verdict = await this.#judge(next, result, sentAt);
    // The old token expired, but the route was renewed while the request was in flight.
    return verdict === "token_expired" && openedAt !== this.#route.openedAt ? "again" : verdict;
  }

  /** Looks for a message that may exist, when Discord would no longer recognize a repeated create. */
  async #find(next: Exclude<NextRequest, { kind: "delete" }>): Promise<Verdict> {
    const found = await this.#route.find(next.index, this.#params.clock(), next.part.content);
    if (this.#over) return "again";
    if (typeof found === "object") return this.#accepted(next, found);
    if (found === "unknown") return this.#posted.givenUp(next.index);
    if (found === "none") this.#posted.absent(next.index);
    return found === "none" ? "again" : found;
  }

  #request(next: NextRequest): Promise<RestResult> {
    if (next.kind === "delete") return this.#route.remove(next.index);
    const { kind, index, part } = next;
    const body = this.#form.build(part, this.#posted.all[index], this.#params.clickTarget, kind === "create");
    return kind === "create" ? this.#route.create(index, body) : this.#route.edit(index, body);
  }

  #judge(next: NextRequest, result: RestResult, sentAt: number): Verdict | Promise<Verdict> {
    if (result.ok) return this.#accepted(next, result.message);
    const failure = decideSendFailure(result, next.kind !== "delete" && !this.#form.isPlain && hasFiles(next.part));
    if (failure === "unknown_outcome") this.#form.isPlain = false;
    else this.#posted.refused(["unauthorized", "silenced", "followups_spent"].includes(failure) ? next : null);
    switch (failure === "blocked" && this.#content.isBlocked ? "refused" : failure) {
      case "unknown_outcome":
        this.#pace.failed();
        return this.#posted.unanswered(next);
      case "limited":
      case "unauthorized":
        return "again";
      case "webhook_unknown":
        return this.#route.ifUnknown(sentAt);
      case "message_gone":
        return next.kind === "delete" ? this.#accepted(next, { id: "", ephemeral: false }) : "gone";
      case "channel_gone":
      case "silenced":
        if (failure === "silenced" && this.#content.endWith(this.#posted.all.length, next.kind)) return "again";
        return this.#route.ifClosed;
      case "token_expired":
        return this.#afterToken();
      case "followups_spent":
        return this.#content.endWith(this.#posted.all.length) ? "again" : "refused";
      case "blocked":
        if (this.#content.block()) this.#params.onGone("gone");
        return "again";
      case "refused":
        this.#params.log.error("Discord refused a message", failureDetail(result));
        if (next.kind === "delete") return "refused";
        return this.#form.change(next.part, this.#content, this.#posted.lost) ? "again" : "refused";
    }
  }

  #accepted(next: NextRequest, message: Pick<SentMessage, "id" | "ephemeral">): Verdict {
    const [{ index }, { ledger }] = [next, this.#params];
    const known = ledger.parts()[index]?.id;
    // A click was answered in private because the object was slow: its token edits that private answer, not the reply.
    if (known && message.ephemeral && message.id !== known) return this.#afterToken();
    this.#pace.succeeded();
    this.#route.saw(index, message);
    this.#onAccepted?.();
    if (next.kind === "delete") {
      this.#posted.removed(index);
      // While a message may exist out of reach, the record of it stays: otherwise a later life would send it again.
      return this.#posted.lost || ledger.removed(index) ? "sent" : "superseded";
    }
    this.#posted.accepted(index, next.part);
    this.#form.isPlain = false;
    return ["", known].includes(message.id) || ledger.sent(index, message) ? "sent" : "superseded";
  }

  #afterToken(): Verdict {
    return this.#route.switchToBot() ? "again" : "token_expired";
  }
}
