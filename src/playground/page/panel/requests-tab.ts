// Discord's requests as they come in, with their status and whether Discord would take them.
import { element } from "../element.ts";
import { asJson, clockTime, openingRows } from "./rows.ts";
import { followStream } from "./stream.ts";
import type { Tab } from "./tabs.ts";

/** A request as `/local/watch` lists it. */
type Request = {
  n: number | null;
  at: number;
  method: string;
  path: string;
  status: number;
  code: number | null;
  fault: boolean;
  words: string;
};

/** A path without what nobody reads: of an id its end, and nothing of a token. */
const shorten = (path: string): string => path.replace(/[^/?]{40,}/g, "…").replace(/\d{13,}(\d{4})/g, "…$1");

/** Makes the tab. */
export function requestsTab(): Tab {
  const sum = element("p", { class: "sum" });
  const rows = openingRows<Request>({
    key: ({ n, at, path }) => String(n ?? `${at} ${path}`),
    className: ({ fault, status }) => (fault ? "wrong" : status >= 400 ? "bad" : ""),
    summary: ({ at, method, path, status, code, fault, words }) => [
      clockTime(at),
      element("b", {}, method),
      element("span", { class: "path", title: path }, shorten(path)),
      element("span", { class: "status" }, code === null ? String(status || "…") : `${status} · ${code}`),
      fault && element("strong", { class: "verdict" }, "✗ Discord would refuse this"),
      words !== "" && element("span", { class: "words" }, words),
    ],
    inside: async ({ n }) => {
      const answer = n === null ? null : await fetch(`/local/log/${n}`).catch(() => null);
      return answer?.ok ? [asJson(await answer.json())] : null;
    },
  });
  const show = (requests: Request[]) => {
    const faults = requests.filter(({ fault }) => fault).length;
    const verdict = faults === 0 ? "all valid" : `${faults} that Discord would refuse`;
    sum.textContent = requests.length === 0 ? "No request yet." : `The newest ${requests.length} requests: ${verdict}.`;
    rows.show(requests);
  };
  return {
    name: "requests",
    label: "Discord",
    node: element("section", {}, sum, rows.node),
    follow: () =>
      followStream(
        () => "/local/watch?list=requests",
        (data) => show(JSON.parse(data)),
      ),
  };
}
