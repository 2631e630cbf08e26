// Decides the form in which a reply's next message is sent: complete or, if Discord has refused that, its words alone.
import type { MessageBody } from "../rest/rest.ts";
import { buildPartBody, buildPlainBody, hasWholeAnswer, type NextPart, type Posted } from "./part-body.ts";
import type { ReplyContent } from "./reply-content.ts";

/** The form of one reply's messages. */
export class MessageForm {
  /** Whether the next message is only its words: without files, and with no buttons except Deny and Stop. */
  isPlain = false;
  #wasFinal = false;

  /** Called before each request. The last words are first tried in their complete form, even if earlier words had to be plain. */
  begin(isFinal: boolean): void {
    if (isFinal && !this.#wasFinal) this.isPlain = false;
    this.#wasFinal = isFinal;
  }

  /**
   * Decides what to try after Discord has refused the part: first without its files, then its words alone, then other words. Returns false if
   * nothing is left to try. `isLost`: a message may exist that can't be reached, so the answer needs its file.
   */
  change(part: Posted, content: Pick<ReplyContent, "spread" | "dropFiles" | "refuse">, isLost: boolean): boolean {
    const wasPlain = this.isPlain;
    this.isPlain = false;
    if (wasPlain) return content.refuse();
    const isSpread = hasWholeAnswer(part) && !isLost && content.spread();
    const isChanged = isSpread || (part.files !== undefined && content.dropFiles());
    this.isPlain = !isChanged;
    return true;
  }

  /** Builds the body of a message that shows the part. `posted`: what Discord already shows of it. */
  build(part: NextPart, posted: Posted | undefined, clickTarget: string, isNew: boolean): MessageBody {
    return this.isPlain ? buildPlainBody(part, clickTarget) : buildPartBody(part, posted, clickTarget, isNew);
  }
}
