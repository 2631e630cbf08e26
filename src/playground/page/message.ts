// One message on the screen: drawn once, then changed part by part, so that a clicked button and selected text survive the next
// edit. Knows neither the list nor the network.
import { type Child, element } from "./element.ts";
import { type Names, prose } from "./prose.ts";
import { drawTokens } from "./tokens.ts";
import type { Answer, Button, LocalMessage } from "./world.ts";

/** What a message needs from the page. `click` reports its own failures; its answer only enables the button again. */
export type Surroundings = {
  names: Names;
  click(messageId: string, customId: string): Promise<Answer>;
  /** The commands for a message. */
  menu(): readonly string[];
  useOn(messageId: string, name: string): void;
};

/** A drawn message. `update` brings it to a newer state; `continued` means that it continues the message above. */
export type MessageView = { node: HTMLElement; update(message: LocalMessage, continued: boolean): void };

type Embed = NonNullable<LocalMessage["embeds"]>[number];

const BUTTON_STYLES = ["secondary", "primary", "secondary", "success", "danger", "link"];
const TINTS = 6;

/** Makes an empty view of one message; the first `update` fills it. */
export function messageView(around: Surroundings): MessageView {
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
  const node = element("li", { class: "message" }, command.node, face.node, main, menu.node);
  return {
    node,
    update(message, continued) {
      node.className = `message${continued ? " continued" : ""}${message.ephemeral ? " ephemeral" : ""}`;
      node.dataset.id = message.id;
      // Screen readers wait until a streaming answer stops changing.
      node.setAttribute("aria-busy", String(message.loading || canBeStopped(message)));
      command.show([message.interaction, continued], () => drawCommand(message, continued));
      face.show([message.author, continued], () => [!continued && avatar(message.author)]);
      header.show([message.author, message.createdAt, continued], () => (continued ? [] : drawByline(message)));
      body.show([message.content, message.loading, message.failed, message.deed, Boolean(message.editedAt)], () =>
        drawBody(message, around.names),
      );
      embeds.show(message.embeds, () => (message.embeds ?? []).map((embed) => drawEmbed(embed, around.names)));
      files.show(message.attachments, () => message.attachments.map(drawFile));
      tokens.show([message.poll, message.reactions, message.pinned, message.thread], () => drawTokens(message));
      rows.show(message.components, () => drawRows(message, around));
      menu.show([around.menu(), message.ephemeral], () => drawMenu(message, around));
      note.show(message.ephemeral, () => [message.ephemeral && "👁 Only you can see this"]);
    },
  };
}

/** The colored initial of a person or, in a color of its own, of an app. */
export function avatar({ id, name, bot = false }: { id: string; name: string; bot?: boolean }): HTMLElement {
  const tint = bot ? "app" : [...id].reduce((sum, digit) => (sum + digit.charCodeAt(0)) % TINTS, 0);
  return element("span", { class: `avatar tint-${tint}`, "aria-hidden": "true" }, [...name][0]?.toUpperCase() ?? "?");
}

const canBeStopped = ({ components }: LocalMessage) =>
  components.some((row) => row.components?.some((button) => button.label === "Stop"));

// A piece of the message that is drawn again only when its content has changed.
function part(tag: "div" | "header" | "footer", className: string) {
  const node = element(tag, { class: className, hidden: true });
  let shown = "";
  return {
    node,
    show(value: unknown, draw: () => Child[]) {
      const key = JSON.stringify(value) ?? "";
      if (key === shown) return;
      shown = key;
      node.replaceChildren(...draw().filter((child) => child !== false && child !== undefined));
      node.hidden = node.childNodes.length === 0;
    },
  };
}

function drawCommand({ interaction }: LocalMessage, continued: boolean): Child[] {
  if (!interaction || continued) return [];
  return [
    avatar({ id: interaction.userId, name: interaction.name }),
    element("strong", {}, interaction.name),
    " used ",
    element("span", { class: "pill" }, interaction.command),
    interaction.text !== "" && element("span", { class: "asked" }, interaction.text),
  ];
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

function drawFile({ filename, size, url, text }: LocalMessage["attachments"][number]): HTMLElement {
  const name = element("span", {}, linked(filename, url), ` ${(size / 1024).toFixed(1)} KiB`);
  if (text === undefined) return element("div", { class: "file" }, name);
  return element("details", { class: "file" }, element("summary", {}, name), element("pre", { tabindex: "0" }, text));
}

// Only web addresses become links: an embed may have any text as its address.
const linked = (text: string, url: string | undefined): Child =>
  url !== undefined && /^https?:\/\//.test(url)
    ? element("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text)
    : text;

function drawRows(message: LocalMessage, around: Surroundings): HTMLElement[] {
  return message.components.map((row) =>
    element("div", { class: "row" }, ...(row.components ?? []).map((button) => drawButton(message.id, button, around))),
  );
}

function drawMenu({ id, ephemeral, failed }: LocalMessage, { menu, useOn }: Surroundings): HTMLElement[] {
  if (ephemeral || failed !== undefined) return [];
  return menu().map((name) => {
    const entry = element("button", { type: "button", class: "menu-entry" }, name);
    entry.addEventListener("click", () => useOn(id, name));
    return entry;
  });
}

function drawButton(messageId: string, button: Button, around: Surroundings): HTMLElement {
  const label = [button.emoji?.name, button.label].filter(Boolean).join(" ");
  const className = `button ${BUTTON_STYLES[button.style ?? 2] ?? "secondary"}`;
  if (button.url !== undefined && /^https?:\/\//.test(button.url))
    return element(
      "a",
      { class: className, href: button.url, target: "_blank", rel: "noopener noreferrer" },
      label,
      " ↗",
    );
  const drawn = element("button", { type: "button", class: className, disabled: button.disabled }, label);
  drawn.addEventListener("click", async () => {
    drawn.disabled = true;
    drawn.classList.add("clicked");
    await around.click(messageId, button.custom_id ?? "");
    drawn.disabled = button.disabled ?? false;
    drawn.classList.remove("clicked");
  });
  return drawn;
}
