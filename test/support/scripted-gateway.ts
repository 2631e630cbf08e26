// A minimal Discord for the gateway's object inside workerd: the two answers before a connection, Hello, READY, RESUMED and
// acknowledgements. Use the local Gateway for everything else.
import type { GatewayOutside } from "../../durable-objects/gateway/composition-root.ts";
import type { Wire } from "../../durable-objects/gateway/line.ts";

const INTERVAL_MS = 41_250;

/** The frames that the object has sent over all lives, by opcode. */
export const sentToDiscord: number[] = [];

/** The Discord part of an object's outside. */
export const scriptedDiscord: Pick<GatewayOutside, "fetch" | "upgrade"> = {
  fetch: async () =>
    Response.json({
      url: "wss://gateway.test",
      session_start_limit: { remaining: 900, reset_after: 1000 },
      flags: 0,
    }),
  upgrade: async () => ({ wire: scriptedWire(), status: 101 }),
};

function scriptedWire(): Wire {
  let hear: (event: { data: unknown }) => void = () => {};
  const say = (frame: object) => queueMicrotask(() => hear({ data: JSON.stringify(frame) }));
  return {
    accept: () => say({ op: 10, d: { heartbeat_interval: INTERVAL_MS } }),
    send(text) {
      const { op } = JSON.parse(text) as { op: number };
      sentToDiscord.push(op);
      if (op === 1) say({ op: 11 });
      if (op === 2) say({ op: 0, t: "READY", s: 1, d: READY });
      if (op === 6) say({ op: 0, t: "RESUMED", s: 2, d: {} });
    },
    close: () => {},
    addEventListener(type: string, listener: (event: never) => void) {
      if (type === "message") hear = listener as typeof hear;
    },
  };
}

const READY = {
  session_id: "the session",
  resume_gateway_url: "wss://resume.test",
  user: { id: "1" },
  application: { id: "2" },
};
