// The page's address: it names the shown channel and the person who speaks, so that a reload, a bookmark and the browser's Back work.
import { buildQuery, type View } from "./world.ts";

/** Reads the channel and the person from the address, as far as it names them. */
export function readAddress(): View {
  const asked = new URLSearchParams(location.search);
  return { channel: asked.get("channel") ?? undefined, as: asked.get("as") ?? undefined };
}

/** Writes the current view into the address. `isStep`: the browser's Back leads to the previous view. */
export function writeAddress(view: View, isStep: boolean): void {
  const query = `?${buildQuery(view)}`;
  if (query === location.search) return;
  history[isStep ? "pushState" : "replaceState"](null, "", query);
}

/** Calls `go` with the view that the browser's Back and Forward lead to. */
export const onReturn = (go: (view: View) => void): void => addEventListener("popstate", () => go(readAddress()));
