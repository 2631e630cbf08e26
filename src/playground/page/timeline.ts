// The list of messages: keeps a view for each, in the world's order, and scrolls to the end while the reader is there.
import { type MessageView, messageView, type Surroundings } from "./message.ts";
import type { LocalMessage } from "./world.ts";

const NEAR_END_PX = 48;
const SAME_BREATH_MS = 7 * 60_000;

/** The list inside its scroller. `show` brings it to a newer state of the same or another channel. */
export function timeline(scroller: HTMLElement, list: HTMLElement, jump: HTMLButtonElement, around: Surroundings) {
  const views = new Map<string, MessageView>();
  let pinned = true;
  const toEnd = () => scroller.scrollTo({ top: scroller.scrollHeight });
  scroller.addEventListener("scroll", () => {
    pinned = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
    jump.hidden = pinned;
  });
  jump.addEventListener("click", toEnd);
  // Growth by an edit, by an opened file or by a narrower window is all the same here.
  const growth = new ResizeObserver(() => {
    if (pinned) toEnd();
  });
  growth.observe(list);
  growth.observe(scroller);

  return {
    show(messages: readonly LocalMessage[]) {
      const present = new Set(messages.map((message) => message.id));
      for (const [id, view] of views) {
        if (present.has(id)) continue;
        view.node.remove();
        views.delete(id);
      }
      for (const [index, message] of messages.entries()) {
        const view = views.get(message.id) ?? messageView(around);
        views.set(message.id, view);
        view.update(message, goesOn(messages[index - 1], message));
        if (list.children[index] !== view.node) list.insertBefore(view.node, list.children[index] ?? null);
      }
    },
    /** Takes the reader to the newest message and keeps them there. */
    pin() {
      pinned = true;
      toEnd();
    },
  };
}

// The second part of a long answer appears below the first without a new heading. An answer to a command always has one, also
// when the same person asked the same before.
function goesOn(above: LocalMessage | undefined, message: LocalMessage): boolean {
  if (!above || above.author.id !== message.author.id || above.ephemeral !== message.ephemeral) return false;
  const apart = new Date(message.createdAt).getTime() - new Date(above.createdAt).getTime();
  return !message.interaction && !message.loading && apart < SAME_BREATH_MS;
}
