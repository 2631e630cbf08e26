// Which tabs the side panel has. Draws nothing itself.
import type { Answer } from "../world.ts";
import { faultsTab } from "./faults-tab.ts";
import { logTab } from "./log-tab.ts";
import { modelTab } from "./model-tab.ts";
import { requestsTab } from "./requests-tab.ts";
import { sidePanel } from "./tabs.ts";
import { type Shown, traceTab } from "./trace-tab.ts";

/** Wires the side panel. `look` tells it what is shown beside it, whenever that changes; `goTo` shows another channel or message there. */
export function openInside(
  showAnswer: (answer: Answer) => Answer,
  goTo: (channelId: string, messageId?: string) => void,
): { look(shown: Shown): void } {
  const trace = traceTab(goTo);
  sidePanel([trace, requestsTab(), modelTab(), logTab(), faultsTab(showAnswer)]);
  return { look: trace.look };
}
