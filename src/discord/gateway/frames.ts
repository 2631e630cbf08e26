// Reads and writes the gateway's frames (docs: events/gateway-events, topics/opcodes-and-status-codes), in version 10 and without compression.
// Nothing else knows opcodes, intents and event names.
import { array, looseObject, number, regex, string } from "zod/mini";
import { parseJson } from "../../core/json.ts";
import type { Frame, GatewayEvent, Send } from "../../gateway/inputs-and-actions.ts";
import { editedMessage, gatewayMessage } from "./message-json.ts";

const OP = { dispatch: 0, heartbeat: 1, identify: 2, resume: 6, reconnect: 7, invalid: 9, hello: 10, acknowledged: 11 };
/** GUILD_MESSAGES and DIRECT_MESSAGES. MESSAGE_CONTENT is privileged: without the application's switch, Discord closes the socket with 4014. */
const INTENTS = (1 << 9) | (1 << 12);
const MESSAGE_CONTENT = 1 << 15;

const ready = looseObject({
  session_id: string(),
  resume_gateway_url: string().check(regex(/^wss?:\/\//)),
  user: looseObject({ id: string() }),
  application: looseObject({ id: string() }),
});
const hello = looseObject({ heartbeat_interval: number() });
const deleted = looseObject({ id: string(), channel_id: string() });
const deletedTogether = looseObject({ ids: array(string()), channel_id: string() });

/** Reads one frame. Never throws. Events that we don't need cost only the parse of the JSON. */
export function readFrame(text: string): Frame {
  const json = parseJson(text);
  if (typeof json !== "object" || json === null) return { op: "unreadable", why: "no JSON object" };
  const { op, d, s, t } = json as { op?: unknown; d?: unknown; s?: unknown; t?: unknown };
  switch (op) {
    case OP.dispatch: {
      const seq = typeof s === "number" && Number.isSafeInteger(s) ? s : null;
      const event = typeof t === "string" ? readEvent(t, d) : null;
      return { op: "dispatch", seq, event: event ?? { kind: "ignored" } };
    }
    case OP.heartbeat:
      return { op: "heartbeat_wanted" };
    case OP.reconnect:
      return { op: "reconnect" };
    case OP.invalid:
      return { op: "invalid_session", mayResume: d === true };
    case OP.hello: {
      const { data } = hello.safeParse(d);
      return data ? { op: "hello", intervalMs: data.heartbeat_interval } : { op: "unreadable", why: "no interval" };
    }
    case OP.acknowledged:
      return { op: "acknowledged" };
    default:
      return { op: "unreadable", why: `opcode ${typeof op === "number" ? op : "missing"}` };
  }
}

/** Writes one frame. This is the only place that puts the token into one. */
export function writeFrame(send: Send, token: string): string {
  switch (send.op) {
    case "heartbeat":
      return JSON.stringify({ op: OP.heartbeat, d: send.seq });
    case "identify": {
      const intents = send.readsContent ? INTENTS | MESSAGE_CONTENT : INTENTS;
      const properties = { os: "linux", browser: "parley", device: "parley" };
      return JSON.stringify({ op: OP.identify, d: { token, intents, properties } });
    }
    case "resume":
      return JSON.stringify({ op: OP.resume, d: { token, session_id: send.sessionId, seq: send.seq } });
  }
}

/** Reads an event; null for one that we don't need, or that differs from Discord's documentation. */
function readEvent(name: string, d: unknown): GatewayEvent | null {
  switch (name) {
    case "READY": {
      const { data } = ready.safeParse(d);
      if (!data) return null;
      const { session_id: sessionId, resume_gateway_url: resumeUrl, user, application } = data;
      return { kind: "ready", sessionId, resumeUrl, userId: user.id, applicationId: application.id };
    }
    case "RESUMED":
      return { kind: "resumed" };
    case "MESSAGE_CREATE": {
      const message = gatewayMessage(d);
      return message && { kind: "message", message };
    }
    case "MESSAGE_UPDATE": {
      const edit = editedMessage(d);
      return edit && { kind: "edited", edit };
    }
    case "MESSAGE_DELETE": {
      const { data } = deleted.safeParse(d);
      return data ? { kind: "deleted", channelId: data.channel_id, messageIds: [data.id] } : null;
    }
    case "MESSAGE_DELETE_BULK": {
      const { data } = deletedTogether.safeParse(d);
      return data ? { kind: "deleted", channelId: data.channel_id, messageIds: data.ids } : null;
    }
    case "INTERACTION_CREATE":
      return { kind: "interaction", json: d };
    default:
      return null;
  }
}
