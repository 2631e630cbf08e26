// The requests to the local model: one row each, with the conversation as the model saw it inside.
import { element } from "../element.ts";
import { followStream } from "../stream.ts";
import { counted, newestRequests } from "./counts.ts";
import { asJson, clockTime, openingRows } from "./rows.ts";
import type { Tab } from "./tabs.ts";
import type { WatchedCall } from "./watched.ts";

type Message = { role: string; content?: unknown; tool_calls?: { function: { name: string; arguments: string } }[] };
type Body = { model?: string; messages?: Message[]; tools?: { function: { name: string } }[] };

const STATES = { running: "answers…", finished: "answered", left: "canceled by the bot", failed: "failed" };

/** Creates the tab. */
export function modelTab(): Tab {
  const sum = element("p", { class: "sum" });
  const rows = openingRows<WatchedCall>({
    key: ({ n }) => String(n),
    className: ({ state }) => (state === "failed" ? "bad" : state),
    summary: ({ at, status, state, messages, tools, newest }) => [
      clockTime(at),
      element("b", {}, state === "failed" ? `${STATES.failed} (${status})` : STATES[state]),
      element("span", { class: "path" }, `${counted(messages, "message")}, ${counted(tools, "tool")}`),
      element("span", { class: "words" }, newest),
    ],
    inside: async ({ n }) => {
      const answer = await fetch(`/local/model/log/${n}`).catch(() => null);
      return answer?.ok ? drawBody(((await answer.json()) as { body: Body }).body) : null;
    },
  });
  const show = (calls: WatchedCall[]) => {
    sum.textContent =
      calls.length === 0
        ? "No request yet. Only requests to the local model are shown."
        : `${newestRequests(calls.length)}.`;
    rows.show(calls);
  };
  return {
    name: "calls",
    label: "Model",
    node: element("section", {}, sum, rows.node),
    follow: () =>
      followStream(
        () => "/local/watch?list=calls",
        (data) => show(JSON.parse(data)),
      ),
  };
}

function drawBody(body: Body): Node[] {
  const { model = "", messages = [], tools = [] } = body;
  const names = tools.map((tool) => tool.function.name).join(", ");
  const whole = element("details", {}, element("summary", {}, "As JSON"), asJson(body));
  return [
    element("p", {}, element("b", {}, model), names === "" ? " without tools" : ` with ${names}`),
    ...messages.map(drawMessage),
    whole,
  ];
}

function drawMessage({ role, content, tool_calls: calls = [] }: Message): HTMLElement {
  const words = typeof content === "string" ? content : content ? JSON.stringify(content, null, 2) : "";
  return element(
    "div",
    { class: `said ${role}` },
    element("b", {}, role),
    words !== "" && element("pre", { tabindex: "0" }, words),
    ...calls.map(({ function: { name, arguments: given } }) => element("pre", { tabindex: "0" }, `${name} ${given}`)),
  );
}
