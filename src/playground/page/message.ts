// One message on the screen: drawn once, then changed part by part, so that a clicked button and selected text survive the next edit. Knows
// neither the list nor the network.
import { avatar } from "./avatar.ts";
import { editBox } from "./edit-box.ts";
import { type Child, element, isWeb } from "./element.ts";
import { drawFiles, linked } from "./files.ts";
import { drawTools, isOwn, type ToolActions } from "./message-tools.ts";
import { type Names, prose } from "./prose.ts";
import { type AroundReply, drawReplyLine } from "./reply-line.ts";
import type { Button, LocalMessage } from "./shapes.ts";
import { drawTokens } from "./tokens.ts";
import type { Answer } from "./world.ts";

/** What a message needs from the page. `click` reports its own failures; its answer only enables the button again. */
export type Surroundings = ToolActions &
  AroundReply & {
    names: Names;
    click(messageId: string, customId: string): Promise<Answer>;
    /** Returns the text of a message in the form in which a person edits it. */
    editable(message: LocalMessage): string;
    /** Edits the person's own message; null leaves it as it is. */
    edit(messageId: string, text: string | null): void;
  };

/**
 * A drawn message. `update` brings it to a newer state; `continued` means that it continues the message above. `edit` opens the edit box, and
 * returns false if the message is not the viewer's own.
 */
export type MessageView = {
  node: HTMLElement;
  update(message: LocalMessage, continued: boolean): void;
  edit(): boolean;
};

type Embed = NonNullable<LocalMessage["embeds"]>[number];

const BUTTON_STYLES = ["secondary", "primary", "secondary", "success", "danger", "link"];

/** Creates an empty view of one message; the first `update` fills it. */
export function messageView(around: Surroundings): MessageView {
  const replyLine = part("div", "reply-line");
  const command = part("div", "command");
  const face = part("div", "face");
  const header = part("header", "byline");
  const body = part("div", "prose");
  const embeds = part("div", "embeds");
  const files = part("div", "files");
  const tokens = part("div", "tokens");
  const rows = part("div", "rows");
  const note = part("footer", "note");
  const main = element(
    "div",
    { class: "main" },
    header.node,
    body.node,
    embeds.node,
    files.node,
    tokens.node,
    rows.node,
    note.node,
  );
  const menu = part("div", "menu");
  const node = element("li", { class: "message" }, replyLine.node, command.node, face.node, main, menu.node);
  let latest: (() => void) | undefined;
  let editing: string | null = null;
  let own: LocalMessage | null = null;
  const edit = () => {
    if (!own) return false;
    editing = around.editable(own);
    latest?.();
    return true;
  };
  const edited = (id: string) => (text: string | null) => {
    editing = null;
    latest?.();
    around.edit(id, text);
  };
  return { node, edit, update };

  function update(message: LocalMessage, continued: boolean): void {
    latest = () => update(message, continued);
    own = isOwn(message, around.me()) ? message : null;
    if (!own) editing = null;
    const marks = { continued, ephemeral: message.ephemeral, mentioned: message.mentionsYou ?? false };
    for (const [mark, isOn] of Object.entries(marks)) node.classList.toggle(mark, isOn);
    node.dataset.id = message.id;
    // Screen readers wait until a streaming answer stops changing.
    node.setAttribute("aria-busy", String(message.loading || canBeStopped(message)));
    command.show([message.interaction, continued], () => drawCommand(message, continued));
    face.show([message.author, continued], () => [!continued && avatar(message.author)]);
    header.show([message.author, message.createdAt, continued], () => (continued ? [] : drawByline(message)));
    replyLine.show([message.repliesTo], () => drawReplyLine(message, around));
    const text = editing;
    if (text !== null) body.show(["edit", text], () => [editBox(text, edited(message.id))]);
    else body.show(bodyKey(message, around.names), () => drawBody(message, around.names));
    embeds.show(message.embeds, () => (message.embeds ?? []).map((embed) => drawEmbed(embed, around.names)));
    files.show(message.attachments, () => drawFiles(message.attachments));
    tokens.show([message.poll, message.reactions, message.pinned, message.thread], () =>
      drawTokens(message, (emoji, isOn) => around.react(message.id, emoji, isOn)),
    );
    rows.show(message.components, () => drawRows(message, around));
    const { ephemeral, failed, loading, reactions } = message;
    menu.show([around.menu(), own !== null, ephemeral, failed, loading, reactions], () =>
      drawTools(message, around, edit),
    );
    note.show(message.ephemeral, () => [message.ephemeral && "👁 Only you can see this"]);
  }
}

/** What the body depends on. This includes the names in the text, because a channel may be created after the message that names it. */
const bodyKey = (message: LocalMessage, names: Names): unknown => [
  ...[message.content, message.loading, message.failed, message.deed, Boolean(message.editedAt), message.forwarded],
  [...message.content.matchAll(/<([@#])[!&]?(\d+)>/g)].map(([, sigil, id = ""]) =>
    names(sigil === "#" ? "#" : "@", id),
  ),
];

const canBeStopped = ({ components }: LocalMessage) =>
  components.some((row) => row.components?.some((button) => button.label === "Stop"));

// A part of the message that is redrawn only when its content has changed.
function part(tag: "div" | "header" | "footer", className: string) {
  const node = element(tag, { class: className, hidden: true });
  let shown = "";
  return {
    node,
    show(value: unknown, draw: () => Child[]) {
      const key = JSON.stringify(value) ?? "";
      if (key === shown) return;
      shown = key;
      const isHere = node.contains(document.activeElement);
      node.replaceChildren(...draw().filter((child) => child !== false && child !== undefined));
      node.hidden = node.childNodes.length === 0;
      if (isHere) keepPlace(node);
    },
  };
}

/** If the element with the keyboard's focus is gone, moves the focus to the message. */
function keepPlace(within: HTMLElement): void {
  const message = within.closest("li");
  if (message && !within.contains(document.activeElement)) takePlace(message);
}

/** Gives a message the keyboard's focus, without scrolling the list. */
export function takePlace(message: HTMLElement): void {
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
}

function drawCommand({ interaction }: LocalMessage, continued: boolean): Child[] {
  if (!interaction || continued) return [];
  return [
    avatar({ id: interaction.userId, name: interaction.name }),
    element("strong", {}, interaction.name),
    " used ",
    ...drawArguments(interaction.command, interaction.text),
  ];
}

/** Draws the command's name. As in Discord, a click shows what was filled in. */
function drawArguments(command: string, text: string): Child[] {
  if (text === "") return [element("span", { class: "pill" }, command)];
  const asked = element("span", { class: "asked", hidden: true }, text);
  const name = element("button", { type: "button", class: "pill", "aria-expanded": "false", title: text }, command);
  name.addEventListener("click", () => {
    asked.hidden = !asked.hidden;
    name.setAttribute("aria-expanded", String(!asked.hidden));
  });
  return [name, asked];
}

function drawByline({ author, createdAt }: LocalMessage): Child[] {
  const at = new Date(createdAt);
  return [
    element("strong", {}, author.name),
    author.bot && element("span", { class: "badge" }, "APP"),
    element(
      "time",
      { datetime: at.toISOString(), title: at.toLocaleString() },
      at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }),
    ),
  ];
}

function drawBody(message: LocalMessage, names: Names): Child[] {
  if (message.failed !== undefined) return [element("p", { class: "failed" }, message.failed)];
  if (message.loading && message.content === "") {
    const dots = element("span", { class: "dots", "aria-hidden": "true" }, element("i"), element("i"), element("i"));
    return [element("p", { class: "thinking" }, dots, `${message.author.name} is thinking…`)];
  }
  if (message.deed !== undefined) {
    const what = message.content === "" ? false : element("strong", {}, message.content);
    return [element("p", { class: "deed" }, message.deed, " ", what)];
  }
  if (message.forwarded !== undefined) {
    const label = element("small", {}, "↪ Forwarded");
    return [element("blockquote", {}, label, ...prose(message.forwarded, names))];
  }
  const drawn = prose(message.content, names);
  if (!message.editedAt || message.content === "") return drawn;
  const edited = element("span", { class: "edited", title: new Date(message.editedAt).toLocaleString() }, "(edited)");
  const last = drawn.at(-1);
  if (!(last instanceof HTMLParagraphElement)) return [...drawn, element("p", {}, edited)];
  last.append(" ", edited);
  return drawn;
}

function drawEmbed({ title, description, url }: Embed, names: Names): HTMLElement {
  const heading = title !== undefined && element("strong", {}, linked(title, url));
  return element("div", { class: "embed prose" }, heading, ...prose(description ?? "", names));
}

function drawRows(message: LocalMessage, around: Surroundings): HTMLElement[] {
  return message.components.map((row) =>
    element("div", { class: "row" }, ...(row.components ?? []).map((button) => drawButton(message.id, button, around))),
  );
}

function drawButton(messageId: string, button: Button, around: Surroundings): HTMLElement {
  const label = [button.emoji?.name, button.label].filter(Boolean).join(" ");
  const className = `button ${BUTTON_STYLES[button.style ?? 2] ?? "secondary"}`;
  if (isWeb(button.url))
    return element(
      "a",
      { class: className, href: button.url, target: "_blank", rel: "noopener noreferrer" },
      label,
      " ↗",
    );
  const drawn = element("button", { type: "button", class: className, disabled: button.disabled }, label);
  drawn.addEventListener("click", async () => {
    // A disabled button would lose the keyboard's focus, so the button is only marked as disabled.
    if (drawn.ariaDisabled === "true") return;
    drawn.ariaDisabled = "true";
    drawn.classList.add("clicked");
    await around.click(messageId, button.custom_id ?? "");
    drawn.ariaDisabled = null;
    drawn.classList.remove("clicked");
  });
  return drawn;
}
