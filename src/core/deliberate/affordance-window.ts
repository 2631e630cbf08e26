// The affordance window: a tool that was used stays offered for the next few requests. Each request that starts counts
// every tool down by one; a use resets the tool's count.

/** For how many more requests each tool is offered. A tool at zero has no entry. */
export type AffordanceWindow = Readonly<Record<string, number>>;

/** The window of a channel where no tool was used. */
export const closedWindow: AffordanceWindow = {};

/** The longest window, in requests. */
export const MAX_CONTEXT_TURNS = 10;

/** Starts a request: it is offered the tools in the window, and each count goes down by one. */
export function openedBy(window: AffordanceWindow): { offered: string[]; left: AffordanceWindow } {
  const open = Object.entries(window).filter(([, turns]) => turns >= 1);
  return { offered: open.map(([tool]) => tool), left: counts(open.map(([tool, turns]) => [tool, turns - 1])) };
}

/** Offers each tool for exactly the next `turns` requests, after it was used successfully in deliberate mode. */
export function afterUse(window: AffordanceWindow, tools: readonly string[], turns: number): AffordanceWindow {
  return counts(Object.entries({ ...window, ...Object.fromEntries(tools.map((tool) => [tool, turns])) }));
}

function counts(entries: [string, number][]): AffordanceWindow {
  const left = entries.filter(([, turns]) => turns >= 1).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(left);
}
