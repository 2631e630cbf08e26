// The small lines below an answer that is not complete: those that stand for the rest of the turn, and the one that changes.
import type { Reply, ReplyView } from "../../src/turn/ports.ts";

/** A reply whose views carry some lines more; with `isTold` false, none at all (`notices`). */
export function withStandingLines(
  reply: Reply,
  isTold: boolean,
): { reply: Reply; addStandingLine: (line: string) => void } {
  const standing: string[] = [];
  let last: ReplyView = { text: "", line: null };
  const show = (view: ReplyView) => {
    last = view;
    const lines = isTold ? [...standing, ...(view.line === null ? [] : [view.line])] : [];
    reply.show({ ...view, line: lines.length > 0 ? lines.join("\n") : null });
  };
  return {
    reply: { show, postedText: () => reply.postedText(), onAccepted: (listener) => reply.onAccepted(listener) },
    addStandingLine: (line) => {
      standing.push(line);
      if (isTold) show(last);
    },
  };
}
