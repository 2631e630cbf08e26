// Shows a form that the application opened, as a dialog over the page. Sends nothing itself.

import { picked } from "./apps.ts";
import type { Field, Form, Picked } from "./commands.ts";
import { element, once } from "./element.ts";
import type { Answer } from "./world.ts";

const LABEL = 18;
const TEXT = 4;

/** Opens the form. `send` receives the filled-in values and resolves with whether they were accepted. The form shows errors. */
export function openForm(form: Form, send: (fields: Record<string, string | Picked[]>) => Promise<Answer>): void {
  const fields = form.components.flatMap((one) => (one.type === LABEL && one.component ? [labeled(one)] : []));
  const submit = element("button", { type: "submit", class: "button primary" }, "Submit");
  const cancel = element("button", { type: "button", class: "button secondary" }, "Cancel");
  const problem = element("p", { class: "failed", role: "alert", hidden: true });
  const body = element(
    "form",
    { class: "fields" },
    element("h2", {}, form.title),
    ...fields,
    problem,
    element("div", { class: "row" }, submit, cancel),
  );
  const dialog = element("dialog", { class: "form" }, body);
  const submitted = once(async () => {
    const answer = await send(await filledIn(body));
    if (answer.ok) return dialog.close();
    problem.textContent = answer.error;
    problem.hidden = false;
  });
  body.addEventListener("submit", submitted);
  cancel.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function labeled({ label = "", description, component }: Field): HTMLElement {
  const { custom_id: name, required, max_length: max, placeholder, type } = component ?? { type: TEXT };
  const common = { name, required };
  const input =
    type === TEXT
      ? element("textarea", {
          ...common,
          rows: "6",
          maxlength: max === undefined ? undefined : String(max),
          placeholder,
        })
      : element("input", { ...common, type: "file", multiple: true });
  return element(
    "label",
    {},
    element("strong", {}, label),
    description !== undefined && element("span", {}, description),
    input,
  );
}

async function filledIn(body: HTMLFormElement): Promise<Record<string, string | Picked[]>> {
  const filled: Record<string, string | Picked[]> = {};
  for (const input of body.elements) {
    if (input instanceof HTMLTextAreaElement) filled[input.name] = input.value;
    if (input instanceof HTMLInputElement) filled[input.name] = await Promise.all([...(input.files ?? [])].map(picked));
  }
  return filled;
}
