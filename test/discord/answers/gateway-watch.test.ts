// What one request asks of the gateway's object is shared with others, which must not depend on that request's life.
import { expect, it } from "vitest";
import type { GatewayStatus } from "../../../src/core/state/gateway-status.ts";
import { createGatewayWatch } from "../../../src/discord/answers/gateway-watch.ts";

it("a request that is cancelled while the gateway's object is asked holds nobody else up", async () => {
  const clock = { now: 0 };
  const answers = [new Promise<GatewayStatus>(() => {}), Promise.resolve<GatewayStatus>("connected")];
  const timers: (() => void)[] = [];
  let isCancelled = true;
  const watch = createGatewayWatch({
    hasGateway: true,
    gatewayStatus: () => answers.shift() ?? Promise.reject(new Error("asked too often")),
    now: () => clock.now,
    // The timers of a request that is cancelled end with it.
    after: (_ms, callback) => {
      if (!isCancelled) timers.push(callback);
      return () => {};
    },
  });
  void watch();
  isCancelled = false;
  const beside = watch();
  for (const callback of timers.splice(0)) callback();
  expect([await beside, answers.length]).toEqual(["unknown", 1]);
  clock.now += 1000;
  expect([await watch(), await watch(), answers]).toEqual(["connected", "connected", []]);
});
