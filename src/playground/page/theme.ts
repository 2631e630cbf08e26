// Light or dark: the system's theme, or the one that the person chose here.
import { keep, readKept } from "./kept.ts";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const LOOKS: Record<Theme, string> = { system: "🌗", light: "☀️", dark: "🌙" };

const kept = (): Theme => THEMES.find((one) => one === readKept("theme")) ?? "system";

/** Shows the page in the kept theme. May run twice. */
export function applyTheme(): void {
  const theme = kept();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Lets the button cycle through the themes: system, light, dark. */
export function themeSwitch(button: HTMLButtonElement): void {
  const name = () => {
    button.textContent = LOOKS[kept()];
    button.ariaLabel = `Colors: ${kept()}`;
    button.title = button.ariaLabel;
  };
  name();
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(kept()) + 1) % THEMES.length] ?? "system";
    keep("theme", next === "system" ? null : next);
    applyTheme();
    name();
  });
}
