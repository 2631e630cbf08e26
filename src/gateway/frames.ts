// Handles Discord's frames: from Hello to READY, and every event afterwards. The source is Discord's docs (events/gateway).
import { lose, noteReady, onInvalidSession, setConnection } from "./connection.ts";
import type { Socket } from "./gateway-state.ts";
import { firstHeartbeats, onAcknowledged, onHeartbeatWanted } from "./heartbeats.ts";
import { identifyWait, spendIdentify } from "./identify-budget.ts";
import type { Frame, GatewayEvent } from "./inputs-and-actions.ts";
import { onDeleted, onEdited, onMessage, readUnread } from "./reading.ts";
import { act, log, type Step, save, setLive } from "./step.ts";
import { READY_LIMIT_MS } from "./timings.ts";

/** Handles a frame from the current socket. */
export function onFrame(step: Step, socket: Socket, frame: Frame): void {
  const heard = { ...socket, lastFrameAt: step.now };
  setConnection(step, heard);
  switch (frame.op) {
    case "hello":
      onHello(step, heard, frame.intervalMs);
      break;
    case "acknowledged":
      onAcknowledged(step, heard);
      break;
    case "heartbeat_wanted":
      onHeartbeatWanted(step, heard);
      break;
    case "reconnect":
      // May come at any time, even before Hello.
      lose(step, { line: "the gateway asks for a new connection" });
      break;
    case "invalid_session":
      onInvalidSession(step, frame.mayResume);
      break;
    case "dispatch":
      onDispatch(step, heard, frame.event, frame.seq);
      break;
    case "unreadable":
      log(step, "warn", "the gateway sent an unreadable frame", { why: frame.why });
      break;
  }
}

/** Resumes or identifies. Either is counted in the row before it is sent. A second Hello on the same socket is ignored. */
function onHello(step: Step, socket: Socket, intervalMs: number): void {
  if (socket.stage !== "opening" && socket.stage !== "greeting") return;
  const { generation } = socket;
  const heartbeats = firstHeartbeats(step, intervalMs);
  const deadlineAt = step.now + READY_LIMIT_MS;
  const { session } = step.saved;
  if (session) {
    setConnection(step, { ...socket, stage: "resuming", heartbeats, deadlineAt });
    save(step, { resumeTries: step.saved.resumeTries + 1 });
    act(step, { kind: "send", generation, send: { op: "resume", sessionId: session.id, seq: session.seq } });
    return;
  }
  const waitMs = identifyWait(step);
  if (waitMs > 0) {
    lose(step, { line: "too early to identify", waitMs });
    return;
  }
  setConnection(step, { ...socket, stage: "identifying", heartbeats, deadlineAt });
  spendIdentify(step);
  act(step, { kind: "send", generation, send: { op: "identify", readsContent: step.saved.readsContent } });
}

function onDispatch(step: Step, socket: Socket, event: GatewayEvent, seq: number | null): void {
  if (seq !== null && seq > (step.live.seq ?? -1)) setLive(step, { seq });
  switch (event.kind) {
    case "ready": {
      if (socket.stage !== "identifying") return;
      const { sessionId: id, resumeUrl, userId, applicationId } = event;
      save(step, { session: { id, resumeUrl, seq: seq ?? 0 }, self: { userId, applicationId } });
      becomeReady(step, socket);
      return;
    }
    case "resumed":
      if (socket.stage === "resuming") becomeReady(step, socket);
      return;
    case "message":
      onMessage(step, event.message, seq);
      break;
    case "edited":
      onEdited(step, event.edit, seq);
      break;
    case "deleted":
      onDeleted(step, event.channelId, event.messageIds, seq);
      break;
    case "interaction":
      act(step, { kind: "interaction", json: event.json });
      break;
    case "ignored":
      break;
  }
  // Events of a replay are progress, so the deadline moves.
  if (socket.stage === "resuming") setConnection(step, { ...socket, deadlineAt: step.now + READY_LIMIT_MS });
}

function becomeReady(step: Step, { generation, lastFrameAt, heartbeats }: Socket): void {
  setConnection(step, { stage: "ready", generation, lastFrameAt, heartbeats, readyAt: step.now });
  noteReady(step);
  log(step, "info", "the gateway is connected");
  readUnread(step);
}
