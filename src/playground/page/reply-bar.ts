// The bar above the box: which message the next one replies to, whether that notifies its author, and a button to cancel the reply.
import { element, required } from "./element.ts";
import { type Reply, switchPing } from "./reply.ts";

/** Wires the bar, which is hidden without a reply. `changed` is called when a person changes or cancels the reply. */
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
