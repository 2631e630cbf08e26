// The list of messages: keeps a view for each, in the world's order, and scrolls to the end while the reader is there.
import { type MessageView, messageView, type Surroundings, takePlace } from "./message.ts";
import type { LocalMessage } from "./shapes.ts";

const NEAR_END_PX = 48;
const SAME_BREATH_MS = 7 * 60_000;

/** The list inside its scroller. `show` brings it to a newer state of the same or another channel. */
export function timeline(scroller: HTMLElement, list: HTMLElement, jump: HTMLButtonElement, around: Surroundings) {
  const views = new Map<string, MessageView>();
  let pinned = true;
  let lastTop = 0;
  let lastRoom = 0;
  const toEnd = () => scroller.scrollTo({ top: scroller.scrollHeight });
  scroller.addEventListener("scroll", () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const room = scrollHeight - clientHeight;
    // If the list has grown since we scrolled to its end, we are above the end now, and the browser may also have scrolled up to keep the
    // visible part in place. Only a reader scrolls up in a list whose size has not changed.
    if (room - scrollTop < NEAR_END_PX) pinned = true;
    else if (scrollTop < lastTop && room === lastRoom) pinned = false;
    lastTop = scrollTop;
    lastRoom = room;
    jump.hidden = pinned;
  });
  const pin = () => {
    pinned = true;
    jump.hidden = true;
    toEnd();
  };
  jump.addEventListener("click", pin);
  // This covers growth by an edit, an opened file or a narrower window.
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
        const isHere = view.node.contains(document.activeElement);
        const neighbor = view.node.nextElementSibling ?? view.node.previousElementSibling;
        view.node.remove();
        // The keyboard's focus stays in the list.
        if (isHere && neighbor instanceof HTMLElement) takePlace(neighbor);
        views.delete(id);
      }
      for (const [index, message] of messages.entries()) {
        const view = views.get(message.id) ?? messageView(around);
        views.set(message.id, view);
        view.update(message, isContinuation(messages[index - 1], message));
        if (list.children[index] !== view.node) list.insertBefore(view.node, list.children[index] ?? null);
      }
    },
    /** Scrolls to the newest message and stays at the end. */
    pin,
    /** Scrolls to a message and highlights it for a moment. Does nothing if it isn't shown. */
    goTo(id: string) {
      const node = views.get(id)?.node;
      if (!node) return;
      node.scrollIntoView({ block: "center" });
      node.classList.remove("found");
      // Reading the size restarts the animation of the highlight.
      void node.offsetWidth;
      node.classList.add("found");
    },
    /** Opens the edit box of a person's own message. */
    edit: (id: string) => views.get(id)?.edit() ?? false,
  };
}

// The second part of a long answer appears below the first without a new heading. An answer to a command and a reply always have a heading,
// even if the same person asked the same thing before.
function isContinuation(above: LocalMessage | undefined, message: LocalMessage): boolean {
  if (!above || above.author.id !== message.author.id || above.ephemeral !== message.ephemeral) return false;
  const apart = new Date(message.createdAt).getTime() - new Date(above.createdAt).getTime();
  return !message.interaction && !message.loading && message.repliesTo === undefined && apart < SAME_BREATH_MS;
}
