// The page's address: it names the shown channel and who speaks, so that a reload, a bookmark and the browser's Back lead there.
import { buildQuery, type View } from "./world.ts";

/** The channel and the person in the address, as far as it names them. */
export function readAddress(): View {
  const asked = new URLSearchParams(location.search);
  return { channel: asked.get("channel") ?? undefined, as: asked.get("as") ?? undefined };
}

/** Writes what is shown into the address. `isStep`: Back leads to what was shown before. */
export function writeAddress(view: View, isStep: boolean): void {
  const query = `?${buildQuery(view)}`;
  if (query === location.search) return;
  history[isStep ? "pushState" : "replaceState"](null, "", query);
}

/** Hears where the browser's Back and Forward lead. */
export const onReturn = (go: (view: View) => void): void => addEventListener("popstate", () => go(readAddress()));
