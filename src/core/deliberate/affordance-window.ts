// The affordance window: a tool that was used stays offered for the next few requests. Each request that starts counts
// every tool down by one; a use resets the tool's count.

/** For how many more requests each tool stays offered. A tool at zero has no entry. */
export type AffordanceWindow = Readonly<Record<string, number>>;

/** The window of a channel in which no tool was used. */
export const closedWindow: AffordanceWindow = {};

/** The longest window, in requests. */
export const MAX_CONTEXT_TURNS = 10;

/** Starts a request: offers it the tools in the window and counts each of them down by one. */
export function openedBy(window: AffordanceWindow): { offered: string[]; left: AffordanceWindow } {
  const open = Object.entries(window).filter(([, turns]) => turns >= 1);
  return { offered: open.map(([tool]) => tool), left: counts(open.map(([tool, turns]) => [tool, turns - 1])) };
}

/** Offers each of `tools`, which were used successfully in deliberate mode, for exactly the next `turns` requests. */
export function afterUse(window: AffordanceWindow, tools: readonly string[], turns: number): AffordanceWindow {
  return counts(Object.entries({ ...window, ...Object.fromEntries(tools.map((tool) => [tool, turns])) }));
}

function counts(entries: [string, number][]): AffordanceWindow {
  const left = entries.filter(([, turns]) => turns >= 1).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(left);
}
