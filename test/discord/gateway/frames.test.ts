// The gateway's frames: what Discord sends, as its docs show it, and what we send.
import { describe, expect, it } from "vitest";
import { readFrame, writeFrame } from "../../../src/discord/gateway/frames.ts";

const read = (frame: unknown) => readFrame(JSON.stringify(frame));
const event = (t: string, d: unknown) => read({ op: 0, s: 5, t, d });
const READY = {
  v: 10,
  user: { id: "900" },
  guilds: [{ id: "700", unavailable: true }],
  session_id: "abc",
  resume_gateway_url: "wss://gateway-us-east1-b.discord.gg",
  application: { id: "901", flags: 0 },
};

describe("a frame from Discord", () => {
  it.each<[string, unknown, unknown]>([
    ["Hello", { op: 10, d: { heartbeat_interval: 41_250, _trace: [] } }, { op: "hello", intervalMs: 41_250 }],
    ["an acknowledgement", { op: 11 }, { op: "acknowledged" }],
    ["a wish for a heartbeat", { op: 1, d: null }, { op: "heartbeat_wanted" }],
    ["a wish for a new connection", { op: 7, d: null }, { op: "reconnect" }],
    ["an invalid session", { op: 9, d: false }, { op: "invalid_session", mayResume: false }],
    ["an invalid session that can be resumed", { op: 9, d: true }, { op: "invalid_session", mayResume: true }],
    ["an unknown opcode", { op: 42 }, { op: "unreadable", why: "opcode 42" }],
    ["no opcode", {}, { op: "unreadable", why: "opcode missing" }],
    ["not an object", 5, { op: "unreadable", why: "no JSON object" }],
    ["Hello without an interval", { op: 10, d: {} }, { op: "unreadable", why: "no interval" }],
  ])("can be %s", (_name, frame, wanted) => {
    expect(read(frame)).toEqual(wanted);
  });

  it("is unreadable if it is not JSON", () => {
    expect(readFrame('{"op":0,"d":')).toEqual({ op: "unreadable", why: "no JSON object" });
  });

  it.each<[string, unknown, unknown]>([
    [
      "READY",
      READY,
      { kind: "ready", sessionId: "abc", resumeUrl: READY.resume_gateway_url, userId: "900", applicationId: "901" },
    ],
    ["RESUMED", { _trace: [] }, { kind: "resumed" }],
    [
      "MESSAGE_DELETE",
      { id: "1", channel_id: "2", guild_id: "3" },
      { kind: "deleted", channelId: "2", messageIds: ["1"] },
    ],
    [
      "MESSAGE_DELETE_BULK",
      { ids: ["1", "4"], channel_id: "2" },
      { kind: "deleted", channelId: "2", messageIds: ["1", "4"] },
    ],
    ["INTERACTION_CREATE", { id: "8", type: 2 }, { kind: "interaction", json: { id: "8", type: 2 } }],
    ["TYPING_START", { user_id: "1" }, { kind: "ignored" }],
    ["READY", { ...READY, session_id: 5 }, { kind: "ignored" }],
    ["READY", { ...READY, resume_gateway_url: "http://x" }, { kind: "ignored" }],
    ["MESSAGE_CREATE", { id: "no id" }, { kind: "ignored" }],
    ["MESSAGE_DELETE", null, { kind: "ignored" }],
  ])("of the event %s", (name, data, wanted) => {
    expect(event(name, data)).toEqual({ op: "dispatch", seq: 5, event: wanted });
  });

  it.each([null, undefined, "5", 1.5, {}])("has no number if that is %j", (s) => {
    expect(read({ op: 0, s, t: "RESUMED", d: {} })).toEqual({ op: "dispatch", seq: null, event: { kind: "resumed" } });
  });
});

describe("a frame to Discord", () => {
  it.each([
    [{ op: "heartbeat", seq: null } as const, { op: 1, d: null }],
    [{ op: "heartbeat", seq: 251 } as const, { op: 1, d: 251 }],
    [{ op: "resume", sessionId: "abc", seq: 9 } as const, { op: 6, d: { token: "T", session_id: "abc", seq: 9 } }],
  ])("%j", (send, wanted) => {
    expect(JSON.parse(writeFrame(send, "T"))).toEqual(wanted);
  });

  it("identifies with the two ordinary intents, and with the privileged one only if the application has it", () => {
    const intents = (readsContent: boolean) =>
      JSON.parse(writeFrame({ op: "identify", readsContent }, "T")) as {
        op: number;
        d: { token: string; intents: number };
      };
    expect(intents(false)).toMatchObject({ op: 2, d: { token: "T", intents: 4608 } });
    expect(intents(true)).toMatchObject({ op: 2, d: { token: "T", intents: 4608 + 32_768 } });
  });
});
