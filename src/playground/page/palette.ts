// The commands in the composer: a list while the text begins with a slash, then one field per option of the chosen command. Sends nothing itself.

import { picked } from "./apps.ts";
import { BOOLEAN, FILE, type Filled, listFitting, type Option, readValue, type Usable, WHOLE } from "./commands.ts";
import { element, once, required } from "./element.ts";
import { offerList } from "./offers.ts";

/** The choices that Discord offers for an option that is true or false. */
const TRUE = "True";
const EITHER = [{ value: TRUE }, { value: "False" }];

/** What the palette calls. `use` resolves with whether the command was accepted; a refused one stays open. */
export type PaletteActions = {
  usable(): readonly Usable[];
  use(command: Usable, options: Filled): Promise<boolean>;
  offers(command: Usable, options: Filled, focused: string): Promise<{ value: string; label: string }[]>;
};

/** Wires the palette. `onFields` is called with true when a command's fields replace the text field, and with false when it returns. */
export function palette(actions: PaletteActions, onFields: (isOpen: boolean) => void) {
  const list = required("palette", HTMLElement);
  const form = required("command", HTMLFormElement);
  const box = required("message", HTMLTextAreaElement);
  const name = ({ path }: Usable) => `/${path}`;
  const close = () => {
    form.hidden = true;
    form.replaceChildren();
    onFields(false);
  };
  const choose = (command: Usable) => {
    offers.show([]);
    if (command.options.length > 0) return open(command);
    void actions.use(command, {});
    close();
  };
  const offers = offerList<Usable>(box, list, {
    draw: (command) => [element("span", { class: "pill" }, name(command)), command.description],
    choose,
    drawn: (marked) => marked?.scrollIntoView({ block: "nearest" }),
  });

  function open(command: Usable): void {
    const fields = command.options.map((option) => field(option, (focused) => offer(command, focused)));
    const send = element("button", { type: "submit", class: "button primary" }, "Send");
    const cancel = element("button", { type: "button", class: "button secondary" }, "Cancel");
    cancel.addEventListener("click", close);
    const heading = element("p", { class: "pill" }, name(command));
    form.replaceChildren(heading, ...fields, element("div", { class: "row" }, send, cancel));
    form.hidden = false;
    onFields(true);
    form.onsubmit = once(async () => {
      if (await actions.use(command, await filledIn(command))) close();
    });
    form.querySelector("input")?.focus();
  }

  async function offer(command: Usable, focused: string): Promise<void> {
    const offered = await actions.offers(command, { [focused]: "", ...(await filledIn(command)) }, focused);
    const options = form.querySelector(`#offers-${focused}`);
    options?.replaceChildren(...offered.map((one) => element("option", one)));
  }

  async function filledIn(command: Usable): Promise<Filled> {
    const filled: Filled = {};
    for (const { name, type } of command.options) {
      const input = form.elements.namedItem(name);
      if (!(input instanceof HTMLInputElement)) continue;
      const file = input.files?.[0];
      if (file) filled[name] = { attachment: await picked(file) };
      else if (type !== FILE && input.value !== "") filled[name] = readValue(type, input.value);
    }
    return filled;
  }

  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });

  return {
    /** Shows the commands that match the text. */
    typed(text: string) {
      offers.show(/^\/[^\n]*$/.test(text) ? listFitting(actions.usable(), text.slice(1)) : []);
    },
    /** Closes the list and the fields, because they belong to the channel in which they were opened. */
    leave() {
      offers.show([]);
      if (!form.hidden) close();
    },
    /** Uses the marked command; false if none is listed. */
    take: offers.take,
    key: offers.key,
  };
}

function field(
  { name, description, type, required: isRequired, autocomplete, choices }: Option,
  onType: (name: string) => void,
) {
  const kind = type === FILE ? "file" : type === WHOLE ? "number" : "text";
  const listed = type === BOOLEAN ? EITHER : choices;
  const offered = autocomplete || listed ? `offers-${name}` : undefined;
  const pattern = type === BOOLEAN ? EITHER.map(({ value }) => value).join("|") : undefined;
  const input = element("input", {
    type: kind,
    name,
    list: offered,
    pattern,
    autocomplete: "off",
    required: isRequired,
  });
  if (autocomplete) for (const event of ["focus", "input"]) input.addEventListener(event, () => onType(name));
  const known = (listed ?? []).map(({ value }) => element("option", { value }));
  return element(
    "label",
    {},
    element("span", {}, element("strong", {}, name), ` ${description}`),
    input,
    offered !== undefined && element("datalist", { id: offered }, ...known),
  );
}
