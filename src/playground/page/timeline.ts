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
    // When the list has grown since we went to its end, this event finds us above it. Then the browser may have moved us up, too, to
    // keep in sight what was there. Only a reader moves up in a list that stays as it is.
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
        const isHere = view.node.contains(document.activeElement);
        const neighbour = view.node.nextElementSibling ?? view.node.previousElementSibling;
        view.node.remove();
        // The keyboard's place stays in the list.
        if (isHere && neighbour instanceof HTMLElement) takePlace(neighbour);
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
    pin,
    /** Takes the reader to a message and marks it for a moment. Nothing happens if it isn't shown. */
    goTo(id: string) {
      const node = views.get(id)?.node;
      if (!node) return;
      node.scrollIntoView({ block: "center" });
      node.classList.remove("found");
      // Reading the size lets the mark begin anew.
      void node.offsetWidth;
      node.classList.add("found");
    },
    /** Opens the box of a person's own message. */
    edit: (id: string) => views.get(id)?.edit() ?? false,
  };
}

// The second part of a long answer appears below the first without a new heading. An answer to a command and a reply always have
// one, also when the same person asked the same before.
function goesOn(above: LocalMessage | undefined, message: LocalMessage): boolean {
  if (!above || above.author.id !== message.author.id || above.ephemeral !== message.ephemeral) return false;
  const apart = new Date(message.createdAt).getTime() - new Date(above.createdAt).getTime();
  return !message.interaction && !message.loading && message.repliesTo === undefined && apart < SAME_BREATH_MS;
}
