// Lists a channel's tools for people: what each one is missing here, and whether deliberate mode exposes it.
import { deliberateModeFor } from "../../src/channel/deliberate.ts";
import { closedWindow, openedBy } from "../../src/core/deliberate/affordance-window.ts";
import { toolsAskedFor } from "../../src/core/deliberate/tool-matches.ts";
import { newTurn } from "../../src/core/state/record.ts";
import type { ToolsReport, ToolsRequest } from "../../src/core/state/rpc.ts";
import { missingFor } from "../../src/toolkit/define/availability.ts";
import type { ToolRegistry } from "../../src/toolkit/define/tool-cards.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import type { Channel } from "../live-channel.ts";
import { createToolServices, readAvailability } from "../operations/tool-services.ts";
import type { TurnLease } from "../operations/turn-lease.ts";
import { noteHere } from "../schedule/rearm.ts";
import { countedIn } from "../scope-calls/ask-scope.ts";
import { deliberateInput, effectiveTriggers, retainExposure } from "../settings/deliberate.ts";
import { orderedModels } from "../settings/effective-settings.ts";

/** Discord waits 3 s for a response; slower remote servers are left out of the list. */
const REMOTE_WAIT_MS = 1500;

/** A lease that allows nothing, because the tools are only listed. */
const NO_LEASE: TurnLease = {
  refuseCall: async () => ({ kind: "access_refused", refusal: { reason: "limit_unchecked" } }),
  covers: () => false,
};

/** Lists every tool. Stores only the settings of the parent and of the scope that come with the request. */
export async function listTools(channel: Channel, asked: ToolsRequest): Promise<ToolsReport> {
  const { trigger: request } = asked;
  const { ports } = channel;
  const { store } = ports;
  noteHere(channel, asked);
  const registry = await registryNow(ports, countedIn(request));
  const { running, lock: stored } = store.state();
  // A running turn's uses are added to the window when it ends. The list shows them as if it had ended.
  const { lock } = running ? retainExposure(ports, { turn: running, lock: stored }) : { lock: stored };
  const window = lock.window ?? closedWindow;
  const nothing = { text: "", attachments: [], earlier: () => [] };
  const matches = toolsAskedFor(effectiveTriggers(ports), { ...nothing, retained: openedBy(window).offered });
  const asker = newTurn(request, "queued", 0, ports.clock());
  const availability = readAvailability(channel, asker, orderedModels(ports, request));
  const services = createToolServices(channel, asker, NO_LEASE);
  return {
    active: deliberateModeFor(deliberateInput(ports), request.userId).active,
    tools: registry.list().map((tool) => ({
      name: tool.name,
      category: tool.category,
      missing: missingFor(tool, availability, services),
      exposed: matches.find(({ toolName }) => toolName === tool.name) ?? null,
      turnsLeft: window[tool.name] ?? 0,
    })),
  };
}

/** Returns the built-in tools, and those of the remote servers here that respond in time. */
export async function registryNow(
  { turnRegistry, timers }: Pick<ChannelPorts, "turnRegistry" | "timers">,
  guildId: string | null,
): Promise<ToolRegistry> {
  const waiting = new AbortController();
  const cancel = timers.after(REMOTE_WAIT_MS, () => waiting.abort());
  try {
    return await turnRegistry(waiting.signal, guildId);
  } finally {
    cancel();
  }
}
