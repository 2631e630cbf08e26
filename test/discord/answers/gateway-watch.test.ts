// Requests share one question to the gateway's object, so they must not depend on the life of the request that asked it.
import { expect, it } from "vitest";
import type { GatewayStatus } from "../../../src/core/state/gateway-status.ts";
import { createGatewayWatch } from "../../../src/discord/answers/gateway-watch.ts";

it("a request that is cancelled while it asks the gateway's object doesn't hold up the others", async () => {
  const clock = { now: 0 };
  const answers = [new Promise<GatewayStatus>(() => {}), Promise.resolve<GatewayStatus>("connected")];
  const timers: (() => void)[] = [];
  let isCancelled = true;
  const watch = createGatewayWatch({
    hasGateway: true,
    gatewayStatus: () => answers.shift() ?? Promise.reject(new Error("asked too often")),
    now: () => clock.now,
    // The timers of a cancelled request end with it.
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

it.each([
  ["half a minute later", 30_000],
  ["after the clock was set back", -3_600_000],
])("an old answer is not used, %s", async (_, ms) => {
  const clock = { now: 0 };
  const answers: GatewayStatus[] = ["connected", "waiting"];
  const watch = createGatewayWatch({
    hasGateway: true,
    gatewayStatus: async () => answers.shift() ?? "off",
    now: () => clock.now,
    after: () => () => {},
  });
  expect([await watch(), await watch()]).toEqual(["connected", "connected"]);
  clock.now += ms;
  expect(await watch()).toBe("waiting");
});
