// Above the box: which message the next one answers, whether that notifies its author, and how to leave it.
import { element, required } from "./element.ts";
import { type Reply, switchPing } from "./reply.ts";

/** Wires the bar; it is hidden while nothing is answered. `changed` hears when a person changes or leaves the reply. */
export function replyBar(goTo: (messageId: string) => void, changed: () => void) {
  const bar = required("replying", HTMLElement);
  let reply: Reply | null = null;
  const show = (next: Reply | null) => {
    reply = next;
    bar.hidden = next === null;
    bar.replaceChildren(...(next ? draw(next) : []));
  };
  function draw(shown: Reply): HTMLElement[] {
    const { messageId, author, snippet, ping } = shown;
    const name = element("strong", {}, author.name);
    const words = element(
      "button",
      { type: "button", class: "quoted" },
      "Replying to ",
      name,
      " ",
      element("span", {}, snippet),
    );
    words.addEventListener("click", () => goTo(messageId));
    const bell = element(
      "button",
      { type: "button", class: "ping", "aria-pressed": String(ping === true), title: `Notify ${author.name}` },
      ping ? "@ ON" : "@ OFF",
    );
    bell.addEventListener("click", () => {
      show(switchPing(shown));
      changed();
    });
    const leave = element("button", { type: "button", class: "leave", "aria-label": "Don't reply" }, "✕");
    leave.addEventListener("click", () => {
      show(null);
      changed();
    });
    return [words, ...(ping === null ? [] : [bell]), leave];
  }
  return { show, current: () => reply };
}
