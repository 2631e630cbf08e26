// A reply whose writes or whose voice fail once: nothing of it is lost, and nothing waits forever.
import { describe, expect, it } from "vitest";
import type { ChannelPorts } from "../../../durable-objects/channel-ports.ts";
import { openReplyLedger } from "../../../durable-objects/replies/reply-ledger.ts";
import { SceneHeaders } from "../../../durable-objects/replies/scene-headers.ts";
import { VoiceReply } from "../../../durable-objects/replies/voice-reply.ts";
import { newTurn } from "../../../src/core/state/record.ts";
import type { Pump } from "../../../src/discord/delivery/pump.ts";
import { RateLimiter } from "../../../src/discord/rest/rate-limiter.ts";
import { createVoices } from "../../../src/discord/rest/voices.ts";
import { createTestClock } from "../../support/clock.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { patientDiscord } from "../../support/patient-discord.ts";
import { testRequest } from "../../support/store-contract.ts";

describe("a message that can't be stored", () => {
  it("is stored with another try, and each failure is logged", () => {
    const store = memoryStore();
    store.insertTurn({ ...newTurn(testRequest("1"), "queued", 0, 0), state: "running", instance: "this" });
    const errors: unknown[] = [];
    const log = {
      info() {},
      warn() {},
      error: (line: string, detail?: object) => void errors.push({ line, ...detail }),
    };
    let fails = 2;
    const flaky: typeof store = {
      ...store,
      transaction(work) {
        if (fails-- > 0) throw new Error("disk I/O error");
        return store.transaction(work);
      },
    };
    const ledger = openReplyLedger({ store: flaky, instance: "this", clock: () => 0, log }, "1");
    expect(ledger.sent(0, { id: "55", ephemeral: false })).toBe(true);
    expect(ledger.parts()).toEqual([{ state: "sent", id: "55" }]);
    const failure = { line: "a message was not recorded", turnId: "1", error: "Error: disk I/O error" };
    expect(errors).toEqual([failure, failure]);
  });

  it("counts its nonce's time from the first try that may have created it", () => {
    const store = memoryStore();
    store.insertTurn({ ...newTurn(testRequest("1"), "queued", 0, 0), state: "running", instance: "this" });
    const log = { info() {}, warn() {}, error() {} };
    let now = 1000;
    const ledger = openReplyLedger({ store, instance: "this", clock: () => now, log }, "1");
    const tries = [false, false, true].map((isRepeat) => {
      ledger.sending(0, isRepeat);
      now += 1000;
      return ledger.parts()[0]?.since;
    });
    expect(tries).toEqual([1000, 2000, 2000]);
  });
});

describe("a persona whose voice can't be found", () => {
  it("is tried again with its next word", async () => {
    const failures: unknown[] = [];
    const shown: string[] = [];
    const pump = {
      show: ({ text }: { text: string }) => void shown.push(text),
      finish: async ({ text }: { text: string }) => {
        shown.push(text);
        return { ok: true };
      },
      onAccepted() {},
    } as unknown as Pump;
    let tries = 0;
    const reply = new VoiceReply({
      mayStayEmpty: true,
      onFailure: (error) => void failures.push(error),
      find: async () => {
        if (++tries === 1) throw new Error("disk I/O error");
        return pump;
      },
    });
    reply.show({ text: "Ada", line: null });
    await new Promise((resolve) => setImmediate(resolve));
    expect([shown, failures.length]).toEqual([[], 1]);
    expect(await reply.finish({ text: "Ada speaks.", line: null })).toEqual({ ok: true });
    expect(shown).toEqual(["Ada speaks."]);
  });

  it("because Discord lists something that isn't a webhook gets a webhook of its own", async () => {
    const made = { id: "5", token: "t", type: 1, application_id: "1" };
    const { now: clock, timers } = createTestClock(0);
    const voices = createVoices({
      clock,
      timers,
      rateLimiter: new RateLimiter(clock, { info() {}, warn() {}, error() {} }),
      fetch: async (_url, { method }) => Response.json(method === "GET" ? [null, 7, "what"] : made),
      baseUrl: "http://discord.test",
      userAgent: "test",
      botToken: "b",
      applicationId: "1",
    });
    expect(await voices.of("9")).toEqual({ ok: true, voice: { id: "5", token: "t" } });
  });
});

describe("the end of a scene whose record can't be read", () => {
  it("is tried again with the turn's last edit", async () => {
    const store = memoryStore();
    let fails = 1;
    const flaky: typeof store = {
      ...store,
      turn(id) {
        if (fails-- > 0) throw new Error("disk I/O error");
        return store.turn(id);
      },
    };
    const { now: clock, timers } = createTestClock(0);
    const shown = new Map<string, string>();
    const ports = {
      ...{ store: flaky, instance: "this", clock, timers, random: () => 0, log: { info() {}, warn() {}, error() {} } },
      rest: patientDiscord(shown, () => true),
      rateLimiter: { readyAt: () => 0 },
      requests: { renewals: 0, isReserved: false },
      config: { discord: { botToken: null } },
    } as unknown as ChannelPorts;
    const scene = { id: "1", index: 0, names: ["Ada"], token: "token-1", webhookChannelId: null };
    const turn = newTurn({ ...testRequest("1"), token: null, scene }, "closing", 0, 0);
    store.insertTurn({ ...turn, checkpoint: { kind: "send", ending: { kind: "completed" }, chars: 0 } });
    const headers = new SceneHeaders(
      ports,
      () => {},
      () => 0,
    );
    const finish = () => headers.finish(turn, scene, { ok: true }, []);
    await expect(finish()).rejects.toThrow("disk I/O error");
    await finish();
    expect(shown.get("token-1")).toContain("Ada");
  });
});
