// What a person sees of an answer to their message before it has words. An interaction shows "thinking" by itself; here the bot types, and
// after 2 s there is a first message with Stop. Of a recurring task nothing is seen before its end: it may have nothing to report.
import { say } from "../../src/core/copy/notices.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Reply, ReplyView, Timers } from "../../src/turn/ports.ts";
import type { Typing } from "./typing.ts";

/** Until the first message, if there are no words before. */
const FIRST_MESSAGE_MS = 2000;

/** Wraps the reply of a turn that begins. `end` takes all of it back that is not in Discord; it may be called twice. */
export function withPresence(
  { request, parts }: TurnRecord,
  reply: Reply,
  typing: Typing,
  timers: Timers,
): { reply: Reply; end: () => void } {
  if (request.reminder?.task) return { reply: { ...reported(reply), show() {} }, end: () => {} };
  if (request.messageId === undefined && !request.beginsThread) return { reply, end: () => {} };
  let isShown = parts.length > 0;
  // Only a new message of ours ends the line at once, and the answer of a turn that continues has its message.
  const stopTyping = isShown ? null : typing.hold(request.channelId);
  const cancel = timers.after(FIRST_MESSAGE_MS, () => {
    if (!isShown) reply.show({ text: "", line: say.thinking });
    isShown = true;
  });
  const end = () => {
    stopTyping?.();
    cancel();
  };
  return {
    reply: {
      show(view: ReplyView) {
        const hasWords = view.text.trim() !== "";
        if (hasWords) end();
        // A view with nothing in it would take the first message's line away.
        if (!hasWords && view.line === null) return;
        isShown = true;
        reply.show(view);
      },
      ...reported(reply),
    },
    end,
  };
}

/** What a reply reports, for one that shows something else. */
export const reported = (reply: Reply): Omit<Reply, "show"> => ({
  postedText: () => reply.postedText(),
  onAccepted: (listener) => reply.onAccepted(listener),
});
