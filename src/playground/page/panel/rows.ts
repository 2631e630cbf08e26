// A list of rows that can be opened. An open row stays open while the list changes. Its content is read when it is opened and when the row
// changes.
import { type Child, element } from "../element.ts";

/** How a row is drawn. */
export type RowKind<Row> = {
  key(row: Row): string;
  className(row: Row): string;
  summary(row: Row): Child[];
  /** Reads the content; null if there is nothing more. */
  inside(row: Row): Promise<Node[] | null>;
};

/** Creates an empty list. `show` updates it to newer rows. */
export function openingRows<Row>(kind: RowKind<Row>) {
  const list = element("ol", { class: "watched" });
  let views = new Map<string, { node: HTMLElement; drawn: string; draw(row: Row): void }>();
  return {
    node: list,
    show(rows: readonly Row[]) {
      const before = views;
      views = new Map();
      for (const [index, row] of rows.entries()) {
        const key = kind.key(row);
        const view = before.get(key) ?? drawRow(kind);
        before.delete(key);
        views.set(key, view);
        const drawn = JSON.stringify(row);
        if (view.drawn !== drawn) view.draw(row);
        view.drawn = drawn;
        if (list.children[index] !== view.node) list.insertBefore(view.node, list.children[index] ?? null);
      }
      for (const { node } of before.values()) node.remove();
    },
  };
}

function drawRow<Row>(kind: RowKind<Row>) {
  const summary = element("summary");
  const inside = element("div", { class: "inside" });
  const details = element("details", {}, summary, inside);
  const node = element("li", {}, details);
  let latest: Row;
  const read = async () => {
    if (details.open) inside.replaceChildren(...((await kind.inside(latest)) ?? ["There is no more."]));
  };
  details.addEventListener("toggle", () => void read());
  return {
    node,
    drawn: "",
    draw(row: Row) {
      latest = row;
      node.className = kind.className(row);
      summary.replaceChildren(...kind.summary(row).filter((child) => child !== false && child !== undefined));
      void read();
    },
  };
}

/** Draws a time of day, to the second. */
export const clockTime = (at: number): HTMLElement =>
  element("time", { datetime: new Date(at).toISOString() }, new Date(at).toLocaleTimeString([], { hour12: false }));

/** Draws a value as indented JSON. */
export const asJson = (value: unknown): HTMLElement =>
  element("pre", { tabindex: "0", class: "json" }, JSON.stringify(value, null, 2));
