// Where a person writes: the text field that sends /chat, the commands after a slash, the suggestions, and the choice of speaker.
// Sends nothing itself.
import { element, required } from "./element.ts";
import { avatar } from "./message.ts";
import { type PaletteActions, palette } from "./palette.ts";
import { describePerson, nameRank, sortPeople } from "./people.ts";
import type { WorldState } from "./world.ts";

const SUGGESTIONS: [label: string, message: string][] = [
  ["🕘 Time in Tokyo", "what time is it in Tokyo?"],
  ["🎲 Roll 3d6", "roll 3d6"],
  ["🦜 A long story", "tell me a long story"],
  ["📄 Show code", "show me code"],
  ["💥 Fail", "fail"],
  ["❔ Help", "help"],
];

/** What the composer calls. `send` says whether the message was accepted; a refused one goes back into the field. */
export type ComposerActions = PaletteActions & {
  send(message: string, file: File | null): Promise<boolean>;
  speakAs(person: string): void;
};

/** Wires the composer of the page; `people` shows the choice of speaker. */
export function composer(actions: ComposerActions) {
  const form = required("composer", HTMLFormElement);
  const field = required("message", HTMLTextAreaElement);
  const grow = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  };
  const send = async () => {
    const message = field.value.trim();
    if (message === "") return;
    field.value = "";
    grow();
    const file = files.take();
    if ((await actions.send(message, file)) || field.value !== "") return;
    files.put(file);
    field.value = message;
    grow();
  };
  const commands = palette(actions, (isOpen) => {
    form.hidden = isOpen;
    if (isOpen) return;
    field.value = "";
    field.focus();
    grow();
  });
  field.addEventListener("input", () => {
    grow();
    commands.typed(field.value);
  });
  const files = filePicker();
  field.addEventListener("keydown", (event) => {
    if (commands.key(event)) return event.preventDefault();
    // An input method's Enter ends the composition of a word, not the message.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  const suggestions = required("suggestions", HTMLElement);
  suggestions.append(
    ...SUGGESTIONS.map(([label, message]) => {
      const chip = element("button", { type: "button", class: "chip", title: `/chat ${message}` }, label);
      chip.addEventListener("click", () => void actions.send(message, null));
      return element("li", {}, chip);
    }),
  );
  return {
    /** Lists the people with their place in the shown server; it is absent outside of servers. */
    people({ people, servers }: WorldState, serverId: string | undefined, as: string) {
      const [home] = servers;
      const shown = servers.find(({ id }) => id === serverId);
      if (!home) return;
      required("people", HTMLElement).replaceChildren(
        ...sortPeople(people, home).map((person) => {
          const radio = element("input", { type: "radio", name: "as", value: person.id, checked: person.id === as });
          radio.addEventListener("change", () => actions.speakAs(person.id));
          return element(
            "label",
            { class: "person", title: describePerson(person, servers) },
            radio,
            avatar(person),
            element(
              "span",
              {},
              element("strong", {}, person.name),
              " ",
              element("small", {}, nameRank(person, shown, home)),
            ),
          );
        }),
      );
    },
    /** Opens the composer for a channel. Before that nothing can be sent. */
    address(channel: string) {
      field.placeholder = `Message ${channel}`;
      field.disabled = false;
      suggestions.hidden = false;
    },
    focus: () => field.focus(),
  };
}

/** The one file for the next message. */
function filePicker() {
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
    take: () => {
      const taken = file;
      put(null);
      return taken;
    },
  };
}
