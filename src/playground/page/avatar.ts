// The round picture of a person or an app.
import { element, isWeb } from "./element.ts";

const TINTS = 6;

/** Draws the given picture, or a colored initial. Apps have a color that people don't have. */
export function avatar(whose: { id: string; name: string; bot?: boolean; avatarUrl?: string }): HTMLElement {
  const { id, name, bot = false, avatarUrl } = whose;
  const tint = bot ? "app" : [...id].reduce((sum, digit) => (sum + digit.charCodeAt(0)) % TINTS, 0);
  const initial = [...name][0]?.toUpperCase() ?? "?";
  const face = element("span", { class: `avatar tint-${tint}`, "aria-hidden": "true" }, initial);
  if (!isWeb(avatarUrl)) return face;
  const picture = element("img", { src: avatarUrl, alt: "", referrerpolicy: "no-referrer" });
  // If the picture can't be loaded, the initial stays.
  picture.addEventListener("load", () => face.replaceChildren(picture));
  return face;
}
