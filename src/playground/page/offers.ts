// A list of offers above the message box. The keys of the box mark and choose an offer. The caller decides what an offer is and what choosing
// it does.
import { type Child, element, markEntry } from "./element.ts";

/** What the list calls. `drawn` is called with the marked entry whenever the list was redrawn. */
export type OfferActions<Offer> = {
  draw(offer: Offer): Child[];
  choose(offer: Offer): void;
  drawn?(marked: Element | undefined): void;
};

/** Wires the list to the field whose keys control it. */
export function offerList<Offer>(field: HTMLElement, list: HTMLElement, actions: OfferActions<Offer>) {
  let shown: readonly Offer[] = [];
  let current = 0;
  const mark = (index: number) => {
    current = index;
    list.hidden = shown.length === 0;
    list.replaceChildren(
      ...shown.map((offer, at) => {
        const selected = String(at === current);
        const entry = element(
          "div",
          { role: "option", class: "offer", "aria-selected": selected },
          ...actions.draw(offer),
        );
        entry.addEventListener("click", () => actions.choose(offer));
        return entry;
      }),
    );
    markEntry(field, list, current);
    actions.drawn?.(list.children[current]);
  };
  const show = (offers: readonly Offer[]) => {
    shown = offers;
    mark(0);
  };
  const take = (): boolean => {
    const chosen = shown[current];
    if (chosen !== undefined) actions.choose(chosen);
    return chosen !== undefined;
  };
  return {
    /** Shows these offers and marks the first; an empty list is hidden. */
    show,
    /** Chooses the marked offer; false if there is none. */
    take,
    /** Handles a key; returns whether the list used it. */
    key({ key }: KeyboardEvent): boolean {
      if (shown.length === 0) return false;
      if (key === "ArrowDown") mark((current + 1) % shown.length);
      else if (key === "ArrowUp") mark((current + shown.length - 1) % shown.length);
      else if (key === "Escape") show([]);
      else if (key === "Enter" || key === "Tab") take();
      else return false;
      return true;
    },
  };
}
