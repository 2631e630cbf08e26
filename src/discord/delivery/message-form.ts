// The form in which a reply's next message is sent: as it should be or, where Discord has refused that, its words alone.
import type { MessageBody } from "../rest/rest.ts";
import { buildPartBody, buildPlainBody, hasWholeAnswer, type NextPart, type Posted } from "./part-body.ts";
import type { ReplyContent } from "./reply-content.ts";

/** The form of one reply's messages. */
export class MessageForm {
  /** The next message is its words alone: without files, and without buttons but Deny. */
  isPlain = false;
  #wasFinal = false;

  /** Called before each request. The last words are first tried as they should be, even if words before them had to be plain. */
  begin(isFinal: boolean): void {
    if (isFinal && !this.#wasFinal) this.isPlain = false;
    this.#wasFinal = isFinal;
  }

  /**
   * After Discord has refused the part: what is tried next is first without a file, then its words alone, then other words. False: nothing is
   * left to try. `isLost`: a message may exist that can't be reached, so that the answer needs its file.
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

  /** The body of a message that is to show the part. `posted`: what Discord shows of it already. */
  build(part: NextPart, posted: Posted | undefined, clickTarget: string, isNew: boolean): MessageBody {
    return this.isPlain ? buildPlainBody(part, clickTarget) : buildPartBody(part, posted, clickTarget, isNew);
  }
}
