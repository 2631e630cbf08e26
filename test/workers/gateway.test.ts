// The gateway's object inside workerd: its row and its alarm, and what remains of a life that another version ends.
import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { sentToDiscord } from "../support/scripted-gateway.ts";
import { gatewayProgram } from "../support/worker.ts";

interface Waking {
  wake(caller: object): Promise<GatewayStatus>;
  status(): Promise<GatewayStatus>;
}

const gateway = () => env.GATEWAY.getByName("discord") as unknown as DurableObjectStub & Waking;
const stored = () =>
  runInDurableObject(gateway(), async (_, { storage }) => ({
    saved: JSON.parse(String(storage.sql.exec("SELECT record FROM session").one().record)) as {
      session: unknown;
      retired: unknown;
    },
    alarmAt: await storage.getAlarm(),
  }));

it("connects and stores its session with an alarm; a wake by another version ends the life and keeps both", async () => {
  await gateway().wake(gatewayProgram());
  await expect.poll(() => gateway().status()).toBe("connected");
  const before = await stored();
  expect(before.saved.session).toMatchObject({ id: "the session" });
  expect((before.alarmAt ?? 0) - Date.now()).toBeLessThanOrEqual(45_000);
  expect(await runDurableObjectAlarm(gateway())).toBe(true);
  // The call that ends the object may be answered or not.
  await gateway()
    .wake({ version: "newer", configHash: "other" })
    .catch(() => {});
  await expect
    .poll(() => stored().then(({ saved }) => saved.retired))
    .toMatchObject({ version: gatewayProgram().version });
  const after = await stored();
  expect([after.saved.session, after.alarmAt]).toEqual([before.saved.session, expect.any(Number)]);
  // The old program may be started again, and does nothing until it is called itself.
  await runDurableObjectAlarm(gateway());
  expect([await gateway().status(), sentToDiscord.filter((op) => op !== 1)]).toEqual(["waiting", [2]]);
  await gateway().wake(gatewayProgram());
  await expect.poll(() => gateway().status()).toBe("connected");
  expect(sentToDiscord.filter((op) => op !== 1)).toEqual([2, 6]);
});
