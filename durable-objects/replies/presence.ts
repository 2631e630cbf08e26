// Shows that an answer to a message is coming before it has text. An interaction shows "thinking" by itself; here the bot types, and
// after 2 s posts a first message with Stop. A recurring task shows nothing before its end, because it may have nothing to report.
import { say } from "../../src/core/copy/notices.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Reply, ReplyView, Timers } from "../../src/turn/ports.ts";
import type { Typing } from "./typing.ts";

/** When the first message is posted, unless there is text earlier. */
const FIRST_MESSAGE_MS = 2000;

/** Wraps the reply of a turn that begins. `end` stops typing and cancels a first message that is not posted yet; it may be called twice. */
export function withPresence(
  { request, parts }: TurnRecord,
  reply: Reply,
  typing: Typing,
  timers: Timers,
): { reply: Reply; end: () => void } {
  if (request.reminder?.task) return { reply: { ...reported(reply), show() {} }, end: () => {} };
  if (request.messageId === undefined && !request.beginsThread) return { reply, end: () => {} };
  let isShown = parts.length > 0;
  // Only a new message of ours ends the typing line at once, and a turn that continues already has its message.
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
        // An empty view would remove the first message's line.
        if (!hasWords && view.line === null) return;
        isShown = true;
        reply.show(view);
      },
      ...reported(reply),
    },
    end,
  };
}

/** Forwards what a reply reports, for a wrapper that shows something else. */
export const reported = (reply: Reply): Omit<Reply, "show"> => ({
  postedText: () => reply.postedText(),
  onAccepted: (listener) => reply.onAccepted(listener),
});
