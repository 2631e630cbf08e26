// The log of the Workers, line by line as in the terminal, from the process that runs them.
import { element } from "../element.ts";
import { followStream } from "../stream.ts";
import { clockTime } from "./rows.ts";
import type { Tab } from "./tabs.ts";

/** A line as the launcher sends it. */
type Line = { at: number; level: string; text: string };

const MOST = 500;
const NEAR_END_PX = 40;

/** Creates the tab. */
export function logTab(): Tab {
  const list = element("ol");
  const scroller = element("div", { class: "log", role: "log", "aria-label": "Lines", tabindex: "0" }, list);
  const requests = element("input", { type: "checkbox" });
  requests.addEventListener("change", () => scroller.classList.toggle("with-requests", requests.checked));
  const choice = element("label", { class: "sum" }, requests, " with the requests that reach the Workers");
  const node = element("section", { class: "tall" }, choice, scroller);
  const add = (line: Line) => {
    const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
    list.append(element("li", { class: line.level }, clockTime(line.at), drawText(line.text)));
    if (list.children.length > MOST) list.firstElementChild?.remove();
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
  };
  let after = "";
  return {
    name: "log",
    label: "Log",
    node,
    follow: () =>
      followStream(
        () => `/launcher/log?after=${after}`,
        (data, id) => {
          after = id;
          add(JSON.parse(data));
        },
      ),
  };
}

/** Draws a line. The bot's own lines are JSON: first what happened, then the details. */
function drawText(text: string): HTMLElement {
  const { line, details } = readJsonLine(text);
  return element("span", {}, line, details !== "" && element("small", {}, ` ${details}`));
}

function readJsonLine(text: string): { line: string; details: string } {
  try {
    const { level: _, line, ...rest } = JSON.parse(text);
    if (typeof line !== "string") return { line: text, details: "" };
    const details = Object.entries(rest).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    return { line, details: details.join(", ") };
  } catch {
    return { line: text, details: "" };
  }
}
