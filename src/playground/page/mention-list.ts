// Who can be mentioned, in a list above the box while a name is being typed. Changes the text of the box, and nothing else.
import { avatar } from "./avatar.ts";
import { element, markEntry, required } from "./element.ts";
import { finishMention, isFinished, mentionAt, type Named, type Typed, whoFits } from "./mentions.ts";

/** Someone in the list. `note`: who they are, in a word. */
export type Listed = Named & { bot?: boolean; note: string };

/** Wires the list to a text field. `changed` hears when a name was filled in. */
export function mentionList(field: HTMLTextAreaElement, known: () => readonly Listed[], changed: () => void) {
  const list = required("mentions", HTMLElement);
  let typed: Typed | null = null;
  let shown: Listed[] = [];
  let current = 0;

  const draw = () => {
    list.hidden = shown.length === 0;
    list.replaceChildren(
      ...shown.map((one, index) => {
        const entry = element(
          "div",
          { role: "option", class: "offer", "aria-selected": String(index === current) },
          avatar(one),
          element("strong", {}, one.name),
          element("small", {}, one.note),
        );
        entry.addEventListener("click", () => choose(one));
        return entry;
      }),
    );
    markEntry(field, list, current);
  };
  const close = () => {
    shown = [];
    draw();
  };
  const choose = ({ name }: Listed) => {
    if (!typed) return;
    const finished = finishMention(field.value, typed, name);
    field.value = finished.text;
    field.setSelectionRange(finished.caret, finished.caret);
    field.focus();
    close();
    changed();
  };

  // A click must not take the focus from the field, which would close the list before the click arrives.
  list.addEventListener("mousedown", (event) => event.preventDefault());

  return {
    /** The text or the caret has changed. */
    look(): void {
      typed = mentionAt(field.value, field.selectionStart);
      shown = typed ? whoFits(typed.wanted, known()) : [];
      // Enter then sends the message.
      if (typed && isFinished(typed.wanted, shown)) shown = [];
      current = 0;
      draw();
    },
    close,
    /** True if the list used the key. */
    key({ key }: KeyboardEvent): boolean {
      const chosen = shown[current];
      if (!chosen) return false;
      if (key === "ArrowDown") current = (current + 1) % shown.length;
      else if (key === "ArrowUp") current = (current + shown.length - 1) % shown.length;
      else if (key === "Escape") shown = [];
      else if (key === "Enter" || key === "Tab") {
        choose(chosen);
        return true;
      } else return false;
      draw();
      return true;
    },
  };
}
