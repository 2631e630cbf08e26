// In which form a reply's next message is sent: as it is, or, once Discord has refused that, its words alone.
import type { Buttons } from "../components.ts";
import type { MessageBody } from "../rest/rest.ts";
import { buildPartBody, buildPlainBody, type Posted } from "./part-body.ts";

/** The form of one reply's messages. */
export class MessageForm {
  /** The words alone are tried once. If nobody answers that, another message may come next. */
  isPlain = false;
  #wasFinal = false;

  /** Called before each request. The last words are tried as they are, whatever became of those before them. */
  begin(isFinal: boolean): void {
    this.isPlain &&= this.#wasFinal || !isFinal;
    this.#wasFinal = isFinal;
  }

  /** The body of a message that is to show the part. `posted`: what it shows already. */
  build(
    part: Posted & { buttons: Buttons },
    posted: Posted | undefined,
    clickTarget: string,
    isNew: boolean,
  ): MessageBody {
    return this.isPlain ? buildPlainBody(part, clickTarget) : buildPartBody(part, posted, clickTarget, isNew);
  }
}
