// The box in which a person edits their own message. It replaces the message's text.
import { element } from "./element.ts";

/** Creates the box. `save` receives the new text, or null if nothing should change. */
export function editBox(text: string, save: (text: string | null) => void): HTMLElement {
  const field = element("textarea", {
    class: "editing",
    dir: "auto",
    rows: "1",
    maxlength: "2000",
    "aria-label": "Edit the message",
  });
  field.value = text;
  const grow = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  };
  const end = (isSaved: boolean) => {
    const now = field.value.trim();
    save(isSaved && now !== "" && now !== text ? now : null);
  };
  field.addEventListener("input", grow);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end(false);
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      end(true);
    } else return;
    event.stopPropagation();
  });
  const action = (words: string, isSaved: boolean) => {
    const made = element("button", { type: "button", class: "inline-action" }, words);
    made.addEventListener("click", () => end(isSaved));
    return made;
  };
  queueMicrotask(() => {
    grow();
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
  });
  const note = element("small", {}, "Escape to ", action("cancel", false), " · Enter to ", action("save", true));
  return element("div", { class: "edit-box" }, field, note);
}
