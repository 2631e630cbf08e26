// The side panel: tabs next to the messages that show what happens behind them. Remembers whether it is open, and which tab. Knows nothing
// about the content of the tabs.
import { element, required } from "../element.ts";
import { keep, readKept } from "../kept.ts";

/** One tab. */
export type Tab = {
  name: string;
  label: string;
  node: HTMLElement;
  /** Called when the tab becomes visible. Starts to follow its data, and returns a function that stops that. */
  follow(): () => void;
};

/** Wires the panel and its button. The tabs appear in this order. */
export function sidePanel(tabs: readonly [Tab, ...Tab[]]): void {
  const panel = required("panel", HTMLElement);
  const toggle = required("panel-toggle", HTMLButtonElement);
  let leave = () => {};
  const buttons = tabs.map(({ name, label, node }) => {
    const button = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": name }, label);
    button.addEventListener("click", () => open(name));
    Object.assign(node, { id: name, tabIndex: 0, role: "tabpanel", hidden: true });
    node.setAttribute("aria-labelledby", `tab-${name}`);
    return button;
  });
  const current = () => tabs.find(({ name }) => name === readKept("panel-tab")) ?? tabs[0];

  function open(name: string): void {
    keep("panel-tab", name);
    keep("panel", "open");
    show();
  }
  function show(): void {
    leave();
    leave = () => {};
    const isOpen = readKept("panel") === "open";
    const shown = current();
    panel.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
    for (const [index, tab] of tabs.entries()) {
      const isShown = isOpen && tab === shown;
      tab.node.hidden = !isShown;
      buttons[index]?.setAttribute("aria-selected", String(tab === shown));
      buttons[index]?.setAttribute("tabindex", tab === shown ? "0" : "-1");
    }
    if (isOpen) leave = shown.follow();
  }
  function close(): void {
    keep("panel", null);
    show();
    toggle.focus();
  }
  toggle.addEventListener("click", () => {
    if (!panel.hidden) return close();
    open(current().name);
    buttons[tabs.indexOf(current())]?.focus();
  });
  const list = required("panel-tabs", HTMLElement);
  list.append(...buttons);
  list.addEventListener("keydown", ({ key }) => {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const next = (tabs.indexOf(current()) + step + tabs.length) % tabs.length;
    if (step === 0) return;
    open(tabs[next]?.name ?? "");
    buttons[next]?.focus();
  });
  required("panel-close", HTMLButtonElement).addEventListener("click", close);
  panel.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close();
  });
  required("panel-views", HTMLElement).append(...tabs.map(({ node }) => node));
  show();
}
