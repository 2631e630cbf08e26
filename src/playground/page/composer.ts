// The place where a person writes: the message box with its commands, mentions, reply and file, and the suggestions. Sends nothing itself.
import { element, required } from "./element.ts";
import { filePicker } from "./file-picker.ts";
import { type Listed, mentionList } from "./mention-list.ts";
import { type PaletteActions, palette } from "./palette.ts";
import { keepReply, type Reply } from "./reply.ts";
import { replyBar } from "./reply-bar.ts";
import type { LocalMessage } from "./shapes.ts";
import { typingSignal } from "./typing.ts";

const SUGGESTIONS: [label: string, message: string][] = [
  ["🕘 Time in Tokyo", "what time is it in Tokyo?"],
  ["🎲 Roll 3d6", "roll 3d6"],
  ["🦜 A long story", "tell me a long story"],
  ["📄 Show code", "show me code"],
  ["💥 Fail", "fail"],
  ["❔ Help", "help"],
];

/** What a person sends. Mentions in the text are still names, not ids. */
export type Draft = { text: string; file: File | null; reply: Reply | null };

/** What the composer calls. `send` resolves with whether the message was accepted; a refused one returns to the box. */
export type ComposerActions = PaletteActions & {
  send(draft: Draft): Promise<boolean>;
  /** Asks the bot in whatever way works in the shown channel. */
  ask(question: string): void;
  typing(): void;
  mentionable(): readonly Listed[];
  editLast(): void;
  goTo(messageId: string): void;
};

/** Wires the composer of the page. */
export function composer(actions: ComposerActions) {
  const form = required("composer", HTMLFormElement);
  const field = required("message", HTMLTextAreaElement);
  const suggestions = required("suggestions", HTMLElement);
  const files = filePicker();
  const signal = typingSignal(Date.now, actions.typing);
  const reply = replyBar(actions.goTo, () => field.focus());
  const drafts = new Map<string, string>();
  let place: string | null = null;
  const grow = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  };
  const put = (text: string) => {
    field.value = text;
    grow();
  };
  const people = mentionList(field, actions.mentionable, grow);
  const commands = palette(actions, (isOpen) => {
    form.hidden = isOpen;
    if (isOpen) return;
    put("");
    field.focus();
  });
  const send = async () => {
    const text = field.value.trim();
    if (text === "" && !files.has()) return;
    const draft = { text, file: files.take(), reply: reply.current() };
    put("");
    people.close();
    commands.typed("");
    signal.ended();
    reply.show(null);
    if ((await actions.send(draft)) || field.value !== "") return;
    files.put(draft.file);
    reply.show(draft.reply);
    put(text);
  };
  field.addEventListener("input", () => {
    grow();
    commands.typed(field.value);
    people.look();
    signal.typed(field.value);
  });
  field.addEventListener("click", people.look);
  field.addEventListener("blur", people.close);
  field.addEventListener("keydown", (event) => {
    if (people.key(event) || commands.key(event)) return event.preventDefault();
    if (event.key === "Escape") reply.show(null);
    if (event.key === "ArrowUp" && field.value === "") {
      event.preventDefault();
      actions.editLast();
    }
    // In an input method, Enter ends the composition of a word, not the message.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!commands.take()) void send();
  });
  suggestions.append(
    ...SUGGESTIONS.map(([label, question]) => {
      const chip = element("button", { type: "button", class: "chip", title: `Ask Parley: ${question}` }, label);
      chip.addEventListener("click", () => actions.ask(question));
      return element("li", {}, chip);
    }),
  );
  return {
    /** Opens the composer for a channel, with the draft that was left in its box. Nothing can be sent before that. */
    address(placeholder: string, channel: string) {
      if (place !== null && place !== channel) {
        commands.leave();
        drafts.set(place, field.value);
        put(drafts.get(channel) ?? "");
      }
      place = channel;
      field.placeholder = placeholder;
      field.disabled = false;
      suggestions.hidden = false;
      reply.show(null);
      signal.ended();
    },
    /** Begins a reply. */
    reply(to: Reply) {
      reply.show(to);
      field.focus();
    },
    /** Call this when the channel's messages have changed: the one being replied to may be gone. */
    messages(shown: readonly LocalMessage[]) {
      const kept = keepReply(reply.current(), shown);
      if (kept !== reply.current()) reply.show(kept);
    },
    focus: () => field.focus(),
  };
}
