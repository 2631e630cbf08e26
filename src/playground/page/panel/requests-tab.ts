// The requests to Discord as they come in, with their status and whether Discord would accept them.
import { element } from "../element.ts";
import { followStream } from "../stream.ts";
import { newestRequests } from "./counts.ts";
import { asJson, clockTime, openingRows } from "./rows.ts";
import type { Tab } from "./tabs.ts";
import type { WatchedRequest } from "./watched.ts";

/** Shortens a path: keeps only the end of each id, and nothing of a token. */
const shorten = (path: string): string => path.replace(/[^/?]{40,}/g, "…").replace(/\d{13,}(\d{4})/g, "…$1");

/** Creates the tab. */
export function requestsTab(): Tab {
  const sum = element("p", { class: "sum" });
  const rows = openingRows<WatchedRequest>({
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
  const show = (requests: WatchedRequest[]) => {
    const faults = requests.filter(({ fault }) => fault).length;
    const verdict = faults === 0 ? "all valid" : `${faults} that Discord would refuse`;
    sum.textContent = requests.length === 0 ? "No request yet." : `${newestRequests(requests.length)}: ${verdict}.`;
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
