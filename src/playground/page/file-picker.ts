// The one file for the next message.
import { required } from "./element.ts";

/** Wires the button, the picker and the chosen file's name. */
export function filePicker() {
  const input = required("file", HTMLInputElement);
  const chosen = required("chosen", HTMLButtonElement);
  let file: File | null = null;
  const put = (next: File | null) => {
    file = next;
    input.value = "";
    chosen.hidden = next === null;
    chosen.textContent = next ? `📎 ${next.name} ✕` : "";
  };
  required("attach", HTMLButtonElement).addEventListener("click", () => input.click());
  input.addEventListener("change", () => put(input.files?.[0] ?? null));
  chosen.addEventListener("click", () => put(null));
  return {
    put,
    has: () => file !== null,
    take: () => {
      const taken = file;
      put(null);
      return taken;
    },
  };
}
