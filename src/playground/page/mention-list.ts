// The list of people who can be mentioned, above the box while a name is being typed. Changes only the text of the box.
import { avatar } from "./avatar.ts";
import { element, required } from "./element.ts";
import { finishMention, isFinished, mentionAt, type Named, type Typed, whoFits } from "./mentions.ts";
import { offerList } from "./offers.ts";

/** Someone in the list. `note`: who they are, in a word or two. */
export type Listed = Named & { bot?: boolean; note: string };

/** Wires the list to a text field. `changed` is called when a name was filled in. */
export function mentionList(field: HTMLTextAreaElement, known: () => readonly Listed[], changed: () => void) {
  const list = required("mentions", HTMLElement);
  let typed: Typed | null = null;
  const choose = ({ name }: Listed) => {
    if (!typed) return;
    const finished = finishMention(field.value, typed, name);
    field.value = finished.text;
    field.setSelectionRange(finished.caret, finished.caret);
    field.focus();
    offers.show([]);
    changed();
  };
  const offers = offerList<Listed>(field, list, {
    draw: (one) => [avatar(one), element("strong", {}, one.name), element("small", {}, one.note)],
    choose,
  });

  // A click must not take the focus from the field, which would close the list before the click arrives.
  list.addEventListener("mousedown", (event) => event.preventDefault());

  return {
    /** Call this when the text or the caret has changed. */
    look(): void {
      typed = mentionAt(field.value, field.selectionStart);
      const fitting = typed ? whoFits(typed.wanted, known()) : [];
      // A finished name closes the list, so that Enter sends the message.
      offers.show(typed && isFinished(typed.wanted, fitting) ? [] : fitting);
    },
    close: () => offers.show([]),
    key: offers.key,
  };
}
