// The small lines below an answer that is not complete: those that stand for the rest of the turn, and the one that changes.
import type { Reply, ReplyView } from "../../src/turn/ports.ts";

/** A reply whose views carry some lines more; with `isTold` false, none at all (`notices`). */
export function withStatusLines(
  reply: Reply,
  isShown: boolean,
): { reply: Reply; addStatusLine: (line: string) => void } {
  const status: string[] = [];
  let last: ReplyView = { text: "", line: null };
  const show = (view: ReplyView) => {
    last = view;
    const lines = isShown ? [...status, ...(view.line === null ? [] : [view.line])] : [];
    reply.show({ ...view, line: lines.length > 0 ? lines.join("\n") : null });
  };
  return {
    reply: { show, postedText: () => reply.postedText(), onAccepted: (listener) => reply.onAccepted(listener) },
    addStatusLine: (line) => {
      status.push(line);
      if (isShown) show(last);
    },
  };
}
