// Creates the side panel's tabs. Draws nothing itself.
import { required } from "../element.ts";
import type { Answer } from "../world.ts";
import { faultsTab } from "./faults-tab.ts";
import { logTab } from "./log-tab.ts";
import { modelTab } from "./model-tab.ts";
import { requestsTab } from "./requests-tab.ts";
import { sidePanel } from "./tabs.ts";
import { type Shown, traceTab } from "./trace-tab.ts";

/** Wires the side panel. Call `look` whenever the view next to it changes; `goTo` shows another channel or message there. */
export function openInside(
  showAnswer: (answer: Answer) => Answer,
  goTo: (channelId: string, messageId?: string) => void,
): { look(shown: Shown): void } {
  const trace = traceTab((channelId, messageId) => {
    // On a narrow screen, the panel covers the messages.
    if (matchMedia("(width <= 700px)").matches) required("panel-close", HTMLButtonElement).click();
    goTo(channelId, messageId);
  });
  sidePanel([trace, requestsTab(), modelTab(), logTab(), faultsTab(showAnswer)]);
  return { look: trace.look };
}
