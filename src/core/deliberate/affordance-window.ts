// The affordance window: tools that were used are offered for some of the next triggers as well. A trigger takes one from each
// when it starts; a use sets the tool's count anew.

/** For how many more triggers each tool is offered; none stands at zero. */
export type AffordanceWindow = Readonly<Record<string, number>>;

/** The window of a channel in which no tool was used. */
export const closedWindow: AffordanceWindow = {};

/** The longest window. */
export const MAX_CONTEXT_TURNS = 10;

/** A trigger starts: it is offered what had at least one left, and one is taken from each. */
export function openedBy(window: AffordanceWindow): { offered: string[]; left: AffordanceWindow } {
  const open = Object.entries(window).filter(([, turns]) => turns >= 1);
  return { offered: open.map(([tool]) => tool), left: counts(open.map(([tool, turns]) => [tool, turns - 1])) };
}

/** Tools were used successfully while the mode was active: each is offered for the next `turns` triggers, no more, no less. */
export function afterUse(window: AffordanceWindow, tools: readonly string[], turns: number): AffordanceWindow {
  return counts(Object.entries({ ...window, ...Object.fromEntries(tools.map((tool) => [tool, turns])) }));
}

function counts(entries: [string, number][]): AffordanceWindow {
  const left = entries.filter(([, turns]) => turns >= 1).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(left);
}
