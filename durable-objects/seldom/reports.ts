// Reports on the channel's turns to people: its status and the timelines, without the turns that the viewer may not
// see. Changes nothing.

import { buildStatusReport } from "../../src/core/decisions/status.ts";
import { buildTrace, buildTraceChoice, type TraceChoice, type TraceReport } from "../../src/core/decisions/trace.ts";
import { mayReadTimeline, unknownViewer, type Viewer } from "../../src/core/state/private-turns.ts";
import type { StatusReport } from "../../src/core/state/rpc.ts";
import type { Channel } from "../live-channel.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";

/** The most choices that Discord shows for an option. */
const MAX_CHOICES = 25;

/** Reads what the channel is doing, as far as this person may see it. */
export function readStatus({ ports }: Channel, viewerId = unknownViewer.userId): StatusReport {
  const { store, clock, config, rateLimiter } = ports;
  const { maxIterations } = config;
  const summarized = store.summary()?.messages ?? 0;
  const isMute = rateLimiter.isTokenRefused;
  const report = buildStatusReport(store.state(), { viewerId, maxIterations, now: clock(), summarized, isMute });
  return { ...report, commandsOnly: effectiveSettings(ports).answer_to === "off" };
}

/** Reads the timeline of the named turn, or of the newest; null when there is none that the viewer may read. */
export function readTrace({ ports }: Channel, turnId: string | null, viewer = unknownViewer): TraceReport | null {
  const { store } = ports;
  const turn = turnId === null ? store.recentTurns(1, viewer)[0] : store.turn(turnId);
  return turn && mayReadTimeline(turn, viewer) ? buildTrace(turn) : null;
}

/** Lists the turns that the viewer may read, newest first. */
export const listTraces = ({ ports }: Channel, viewer: Viewer = unknownViewer): TraceChoice[] =>
  ports.store.recentTurns(MAX_CHOICES, viewer).map(buildTraceChoice);
