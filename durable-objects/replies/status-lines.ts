// Owns the status lines below an unfinished answer: those that stay until the turn ends, and the one that changes.
import type { Reply, ReplyView } from "../../src/turn/ports.ts";
import { reported } from "./presence.ts";

/** Wraps a reply so that it shows status lines; none at all if `isShown` (the setting `notices`) is false. */
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
    reply: { show, ...reported(reply) },
    addStatusLine: (line) => {
      status.push(line);
      if (isShown) show(last);
    },
  };
}
