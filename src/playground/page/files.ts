// Draws the files of a message: pictures, sounds, texts that can be opened, and links to the rest.
import { type Child, element, isWeb } from "./element.ts";
import type { LocalMessage } from "./shapes.ts";

const IMAGE = /\.(png|jpe?g|gif|webp|avif)$/i;
const SOUND = /\.(mp3|wav|ogg|m4a|flac)$/i;

/** Draws the files. Several pictures are side by side, above the other files. */
export function drawFiles(files: LocalMessage["attachments"]): HTMLElement[] {
  const drawn = files.map(drawFile);
  const pictures = drawn.filter((one) => one.classList.contains("picture"));
  if (pictures.length < 2) return drawn;
  return [element("div", { class: "pictures" }, ...pictures), ...drawn.filter((one) => !pictures.includes(one))];
}

function drawFile({ filename, size, url, text }: LocalMessage["attachments"][number]): HTMLElement {
  if (IMAGE.test(filename) && isWeb(url)) return element("img", { class: "picture", src: url, alt: filename });
  const name = element(
    "span",
    {},
    linked(filename, url),
    size < 1024 ? ` ${size} bytes` : ` ${(size / 1024).toFixed(1)} KiB`,
  );
  if (SOUND.test(filename) && isWeb(url))
    return element("div", { class: "file" }, name, element("audio", { controls: true, preload: "none", src: url }));
  if (text === undefined) return element("div", { class: "file" }, name);
  return element("details", { class: "file" }, element("summary", {}, name), element("pre", { tabindex: "0" }, text));
}

/** Makes the text a link if the address is a web address; the address in an embed can be any text. */
export const linked = (text: string, url: string | undefined): Child =>
  isWeb(url) ? element("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text) : text;
