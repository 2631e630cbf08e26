// The Gateway's routes under /local: its state, its frames, and the faults that a test can switch on.
import type { Hono } from "hono";
import {
  boolean,
  discriminatedUnion,
  int,
  literal,
  maximum,
  minimum,
  nullable,
  optional,
  partial,
  strictObject,
  string,
  union,
  unknown,
} from "zod/mini";
import { readGiven, readJson } from "../read-json.ts";
import type { GatewayAct, LocalGateway } from "./gateway.ts";
import type { Switches } from "./state.ts";

const CODE = int().check(minimum(1000), maximum(4999));
const POSITIVE = int().check(minimum(1));
const REFUSAL = nullable(union([CODE, literal(["invalid", "resumable"])]));
const SWITCHES = partial(
  strictObject({
    hello: boolean(),
    acks: boolean(),
    holdReady: boolean(),
    holdEvents: boolean(),
    refuseIdentify: REFUSAL,
    refuseResume: REFUSAL,
    refuseUpgrade: nullable(int().check(minimum(400), maximum(599))),
    heartbeatIntervalMs: POSITIVE,
    identifiesLeft: nullable(int().check(minimum(0))),
    maxConcurrency: POSITIVE,
    shards: POSITIVE,
  }),
);
const ACT = discriminatedUnion("act", [
  strictObject({ act: literal("drop") }),
  strictObject({ act: literal("close"), code: CODE, reason: optional(string()) }),
  strictObject({ act: literal("reconnect") }),
  strictObject({ act: literal("invalidate"), resumable: boolean() }),
  strictObject({ act: literal("heartbeat") }),
  strictObject({ act: literal("replay"), seq: optional(POSITIVE) }),
  strictObject({ act: literal("duplicate"), t: optional(string()) }),
  strictObject({ act: literal("event"), t: string(), d: unknown(), s: optional(literal(null)) }),
  strictObject({ act: literal("frame"), text: string() }),
  strictObject({ act: literal("forget") }),
]);

/** Adds the routes. */
export function addGatewayRoutes(app: Hono, gateway: LocalGateway): void {
  app.get("/local/gateway", (c) => c.json(gateway.status()));
  app.get("/local/gateway/log", (c) => c.json(gateway.log));
  app.post("/local/gateway", async (c) => {
    gateway.set((await readGiven(c.req, SWITCHES)) as Partial<Switches>);
    return c.json({ ok: true });
  });
  app.post("/local/gateway/act", async (c) => {
    gateway.act((await readJson(c.req, ACT)) as GatewayAct);
    return c.json({ ok: true });
  });
}
