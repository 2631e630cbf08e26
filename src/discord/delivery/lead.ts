// What a reply shows before the answer's own words, which is no part of the answer: a link to the question, the question itself, the name
// of the persona that speaks.
import { MESSAGE_CODE_POINTS } from "../../core/limits.ts";

/** What comes before an answer. */
export interface LeadParams {
  /** The line with a link to the question, with its line break: the first of the reply, whatever follows. */
  questionLink?: string;
  /** The lines with the question, with line breaks. Read with the first words of the answer. */
  questionLine?: () => string;
  /** The name of a persona that speaks in the bot's own message. */
  speakerLabel?: string;
}

/** What has a meaning only where a line begins. */
const BLOCK = /^[ \t]*(?:>|#{1,3} |-# |[-*+] |\d{1,9}[.)] |`{3}|~{3}|\||[^\n|]*\|[^\n]*\n[ \t|:]*-)/;

/** The lead of one reply. */
export class Lead {
  readonly link: string;
  readonly #label: string;
  readonly #readQuestion: () => string;
  /** Null: not read yet. */
  #question: string | null = null;

  constructor({ questionLink = "", questionLine = () => "", speakerLabel = "" }: LeadParams) {
    this.link = questionLink;
    this.#readQuestion = questionLine;
    this.#label = speakerLabel;
  }

  /** All of it. A name on the answer's first line would make plain text of a list, a heading, a quote, a table or code. */
  before(answer: string): string {
    const beginsBlock = this.#label !== "" && BLOCK.test(answer.slice(0, MESSAGE_CODE_POINTS));
    return this.#above(answer) + (beginsBlock ? `${this.#label.trimEnd()}\n` : this.#label);
  }

  /** The lines above the answer. One that begins with a quote would continue the question's, so an empty line parts them. */
  #above(answer: string): string {
    this.#question ??= this.#readQuestion();
    const continues = this.#question !== "" && this.#label === "" && /^\s*>/.test(answer);
    return this.link + this.#question + (continues ? "\n" : "");
  }

  /** Leaves the question out from now on. False: there was none, or it was not read yet. */
  dropQuestion(): boolean {
    const hadOne = Boolean(this.#question);
    this.#question = "";
    return hadOne;
  }
}
