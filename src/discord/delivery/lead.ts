// Builds what a reply shows before the answer's own words: a link to the question, the question itself, the name of the persona that speaks.
// It is not part of the answer.
import { MESSAGE_CODE_POINTS } from "../../core/limits.ts";

/** What comes before an answer. */
export interface LeadParams {
  /** The line with a link to the question, with its line break. It is always the reply's first line. */
  questionLink?: string;
  /** Returns the lines with the question, with line breaks. Called when the answer's first words arrive. */
  questionLine?: () => string;
  /** The name of a persona that speaks in the bot's own message. */
  speakerLabel?: string;
}

/** Markdown that only has its meaning at the beginning of a line. */
const BLOCK = /^[ \t]*(?:>|#{1,3} |-# |[-*+] |\d{1,9}[.)] |`{3}|~{3}|\||[^\n|]*\|[^\n]*\n[ \t|:]*-)/;

/** The lead of one reply. */
export class Lead {
  readonly link: string;
  readonly #label: string;
  readonly #readQuestion: () => string;
  /** Null until it is read. */
  #question: string | null = null;

  constructor({ questionLink = "", questionLine = () => "", speakerLabel = "" }: LeadParams) {
    this.link = questionLink;
    this.#readQuestion = questionLine;
    this.#label = speakerLabel;
  }

  /** Returns the whole lead. On the same line, a name would turn a list, a heading, a quote, a table or code into plain text. */
  before(answer: string): string {
    const beginsBlock = this.#label !== "" && BLOCK.test(answer.slice(0, MESSAGE_CODE_POINTS));
    return this.#above(answer) + (beginsBlock ? `${this.#label.trimEnd()}\n` : this.#label);
  }

  /** Returns the lines above the answer. If that begins with a quote, it would continue the question's, so an empty line separates them. */
  #above(answer: string): string {
    this.#question ??= this.#readQuestion();
    const continues = this.#question !== "" && this.#label === "" && /^\s*>/.test(answer);
    return this.link + this.#question + (continues ? "\n" : "");
  }

  /** Leaves the question out from now on. Returns false if there was none, or it was not read yet. */
  dropQuestion(): boolean {
    const hadOne = Boolean(this.#question);
    this.#question = "";
    return hadOne;
  }
}
