// Decides what a reply should show now, with its buttons: the newest text, the request for a click when the token is about to expire, or the
// neutral line that replaces a blocked answer. Knows nothing of time and sends nothing.
import { MAX_SPREAD_MESSAGES } from "../../core/limits.ts";
import { createSplitter } from "../../core/markdown/split.ts";
import { withoutOpenSpoiler } from "../../core/markdown/spoiler.ts";
import type { ReplyView } from "../../turn/ports.ts";
import type { Buttons } from "../components.ts";
import { planParts } from "./delivery-plan.ts";
import { Lead, type LeadParams } from "./lead.ts";
import { type NextRequest, nextRequest, rebuttoned } from "./next-request.ts";
import type { Delivered } from "./parts-ledger.ts";
import type { PostedParts } from "./posted-parts.ts";
import type { ReplyRoute } from "./reply-route.ts";
import { askingForClick, inPlaceOf, type Withheld, withoutFiles } from "./stand-ins.ts";

/** How a reply looks. */
export interface ReplyContentParams extends LeadParams {
  /** How many messages the answer may take. */
  maxMessages: number;
  /** An earlier life has already asked for a new token. */
  waits: boolean;
  /** Replaces the names in a message by mentions. The same words always give the same result. */
  mention?: (markdown: string) => string;
  /** The Stop button is elsewhere, on the header of a scene; this reply only has the buttons of a request for approval, and the last ones. */
  isBare?: boolean;
}

/** The content of one reply. */
export class ReplyContent {
  #given: ReplyView | null = null;
  /** The view with the lead. Built when it is read, because most views never are. */
  #labeled: ReplyView | null = null;
  /** All messages are full: while the text only grows, none of them changes until it is final. */
  #isFull = false;
  /** Shown until a click brings a new token; null if no click is needed, or this life knows no words to show with the request. */
  #asking: ReplyView | null = null;
  #waits: boolean;
  #isFinal = false;
  #lastButtons: Buttons = [];
  #maxMessages: number;
  /** Whether the answer may still be spread over more messages, if Discord refuses it as a file. */
  #maySpread = true;
  /** Discord refuses the files that tools and models made. */
  #isFileless = false;
  readonly #lead: Lead;
  readonly #isBare: boolean;
  #withheld: Withheld | null = null;
  /** Discord refuses the words so far, so they are held back. */
  #isHeld = false;
  readonly #mention: (markdown: string) => string;
  /** The answer grows and is split before each request; a splitter with memory splits the full parts only once. */
  readonly #split = createSplitter();

  constructor({ maxMessages, waits: waitsForClick, isBare = false, mention, ...lead }: ReplyContentParams) {
    this.#maxMessages = maxMessages;
    this.#lead = new Lead(lead);
    this.#isBare = isBare;
    this.#mention = mention ?? ((markdown) => markdown);
    this.#waits = waitsForClick;
  }

  /** The newest view; null before the first. */
  get view(): ReplyView | null {
    const given = this.#given;
    if (given && !this.#labeled) this.#labeled = this.#withLead(given);
    return this.#labeled;
  }

  /** Adds the lead. While the answer has neither words nor files, only the link comes before its line. */
  #withLead(given: ReplyView): ReplyView {
    const text = this.#isFinal ? given.text : withoutOpenSpoiler(given.text);
    if (text.trim() !== "" || given.files) return { ...given, text: this.lead + text };
    return given.line === null ? { ...given, text } : { ...given, text, line: this.#lead.link + given.line };
  }

  /** What comes before the answer's own words. */
  get lead(): string {
    return this.#lead.before(this.#given?.text ?? "");
  }

  /** Whether there is no view yet. */
  get isEmpty(): boolean {
    return this.#given === null;
  }

  get gapMs(): number | undefined {
    return this.#given?.gapMs;
  }

  /** Whether the last view has arrived. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** What became of the last words once nothing is left to send. */
  get outcome(): Delivered {
    if (this.#waits) return { ok: false, reason: "token_expired" };
    return this.isBlocked ? { ok: true, isBlocked: true } : { ok: true };
  }

  /** Whether the answer is still growing and waits for nobody. */
  get isPassing(): boolean {
    return !this.#isFinal && !this.#waits && !this.#given?.asks;
  }

  get isBlocked(): boolean {
    return this.#withheld === "blocked";
  }

  /** Takes the newest view; returns false if that changes nothing that is shown. Called for each chunk of an answer, so it reads no text. */
  show(given: ReplyView): boolean {
    const before = this.#given;
    this.#given = given;
    this.#labeled = null;
    const isLonger = before !== null && given.text.length >= before.text.length;
    if (!isLonger) this.#isFull = false;
    const isAlike =
      isLonger && given.line === before.line && given.gapMs === before.gapMs && given.asks === before.asks;
    return !(isAlike && this.#isFull) && !(this.#waits && this.#asking);
  }

  finish(view: ReplyView, buttons: Buttons): void {
    this.show(view);
    this.#isFinal = true;
    this.#lastButtons = buttons;
  }

  /** From now on shows the current text with a request for a click. */
  wait(): void {
    this.#waits = true;
    this.#asking ??= askingForClick(this.view ?? { text: "", line: null });
  }

  resume(): void {
    this.#waits = false;
    this.#asking = null;
    this.#isHeld = false;
  }

  /**
   * Notes that Discord's filters refuse this text: from now on a neutral line replaces it. Returns false if that is not needed yet, because the
   * question above it, whose words may be the reason, is left out first.
   */
  block(): boolean {
    if (!this.#lead.dropQuestion()) this.#withheld = "blocked";
    this.#labeled = null;
    return this.isBlocked;
  }

  /**
   * Notes that Discord refuses this text in every form. A growing answer is held back until its last words, which Discord may accept; if it
   * refuses those too, they come as a file. A line that waits for a person is shown without the text. Returns false if that was refused, too.
   */
  refuse(): boolean {
    if (this.#waits && !this.#asking) {
      // Only buttons were sent. This life knows no words to show above them.
      this.wait();
      return true;
    }
    if (!this.#isFinal && this.#isHeld) return false;
    this.#isHeld = true;
    if (!this.#isFinal) return true;
    if (this.#withheld || this.view?.text.trim() === "") return false;
    this.#withheld = "refused";
    return true;
  }

  /** Notes that Discord accepts no more messages than these. False if there are none, that is the limit anyway, or `kind` is not a create. */
  endWith(messages: number, kind: NextRequest["kind"] = "create"): boolean {
    const isLess = kind === "create" && messages > 0 && messages < this.#maxMessages;
    if (isLess) this.#maxMessages = messages;
    return isLess;
  }

  /** Spreads the rest over more messages, because Discord refuses the answer as a file. Returns false if that was tried already. */
  spread(): boolean {
    const isFirst = this.#maySpread;
    this.#maySpread = false;
    if (isFirst) this.#maxMessages = MAX_SPREAD_MESSAGES;
    return isFirst;
  }

  /** Replaces the files that tools and models made by a line with their names, because Discord refuses them. Returns false if that was tried. */
  dropFiles(): boolean {
    const isFirst = !this.#isFileless;
    this.#isFileless = true;
    return isFirst;
  }

  /** Returns the request that brings Discord closer to the view, or null if nothing is left to send. */
  next(
    { all: posted, lost }: Pick<PostedParts, "all" | "lost">,
    { frozen, isDeferred }: Pick<ReplyRoute, "frozen" | "isDeferred">,
  ): NextRequest | null {
    if (this.#waits && !this.#asking) {
      // The messages of an earlier life stay: they may show more than this life can.
      if (posted.length > frozen) return rebuttoned({ posted, lost, frozen }, this.#buttons());
      this.wait();
    }
    const shown = this.#asking ?? this.view;
    if (!shown || (this.#isHeld && this.isPassing)) return null;
    const accepted = this.#asAccepted(shown);
    const view = this.#isFileless ? withoutFiles(accepted) : accepted;
    const final = this.#isFinal && !this.#waits;
    const lead = shown.text.trim() === "" ? 0 : this.lead.length;
    const fixed = { maxMessages: this.#maxMessages, mention: this.#mention };
    const plan = { ...view, ...fixed, lead, buttons: this.#buttons(), final, frozen, made: posted.length };
    const hoped = planParts({ ...plan, lost: false }, this.#split);
    // A message that can't be changed and shows the wrong words, or doesn't have the file with the rest, is as good as lost.
    const differs = posted.slice(0, frozen).some(({ endsAt, file }, index) => {
      const part = hoped[index];
      return endsAt !== part?.endsAt || (part.file !== null && part.file !== file);
    });
    const isLost = lost || differs;
    const wanted = isLost ? planParts({ ...plan, lost: true }, this.#split) : hoped;
    const isFull = wanted.length >= (isLost ? frozen + 1 : this.#maxMessages);
    // Text beyond the last message shows that it is full. A single unit more may be half a character that was left out.
    if (isFull && view === this.#labeled && (wanted.at(-1)?.endsAt ?? 0) + 1 < view.text.length) this.#isFull = true;
    const isBare = this.#isBare;
    return nextRequest({ wanted, hoped: isLost === lost ? hoped : null, posted, final, frozen, isDeferred, isBare });
  }

  #asAccepted(shown: ReplyView): ReplyView {
    if (this.#withheld) return inPlaceOf(shown, this.#withheld, this.#given?.text ?? "");
    return this.#isHeld && !this.#isFinal ? { ...shown, text: "" } : shown;
  }

  #buttons(): Buttons {
    if (this.#waits && !this.#isBare) return this.#isFinal ? ["resume"] : ["stop", "resume"];
    if (this.#isFinal) return this.#lastButtons;
    const stop = this.#isBare ? [] : (["stop"] as const);
    return this.#given?.asks ? ["approve", "deny", ...stop] : stop;
  }
}
