// A turn that waited is judged again when it starts, and not after that, and so is a message that waited to join one, because the lists of
// people and roles may be newer than the question.
import { expect, it } from "vitest";
import type { LeaseAnswer } from "../../../src/core/access/scope-rpc.ts";
import { accessText } from "../../../src/core/copy/access.ts";
import type { TurnRequest } from "../../../src/core/state/turn-request.ts";
import type { Listen } from "../../../src/turn/sounds.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { openScopes } from "../../support/scopes.ts";
import { testRequest } from "../../support/store-contract.ts";
import { end, text, tool } from "../../support/turn-script.ts";

const DENIED = "1180000000000000022";
const HERE = { guildId: "77", botIsHere: true };
const ALLOWANCE = { tokens: null, microUsd: null };
const KEPT_OUT = accessText({ reason: "not_any_more" });
const down = openScopes({ lease: () => Promise.reject(new Error("down")) });
const look = tool("look", () => ({ ok: true, data: "seen" }));

const VOICE = {
  id: "5",
  filename: "voice-message.ogg",
  contentType: "audio/ogg",
  size: 12_000,
  url: "https://cdn.discordapp.com/1",
  proxyUrl: "",
};
const submit = (channel: ChannelHarness, id: string, userId: string, more: Partial<TurnRequest> = {}) =>
  channel.submit({ trigger: { ...testRequest(id, userId), ...HERE, ...more, receivedAt: channel.clock.now() } });
const deny = (channel: ChannelHarness) =>
  channel.change({ key: "deny_users", value: DENIED, by: { userId: "10", guildId: "77" } });

it.each([
  ["", openScopes()],
  [", even if the server's scope can't be reached", down],
])("a question that waited is not answered if its channel's lists keep its person out by then%s", async (_, scope) => {
  const channel = createChannelHarness({ scope });
  submit(channel, "1", "10");
  submit(channel, "2", DENIED);
  await channel.drain();
  await deny(channel);
  channel.answer([text("one"), end()]);
  await channel.clock.advance(5000);
  expect(channel.requests).toHaveLength(1);
  expect([...channel.shown().values()].at(-1)).toBe(KEPT_OUT);
});

it("a voice note that waited is then neither transcribed nor answered", async () => {
  const listened: string[] = [];
  const listen: Listen = async ({ id }) => {
    listened.push(id);
    return { ok: true, text: "Where is the station?", microUsd: 300 };
  };
  const channel = createChannelHarness({ scope: openScopes(), media: { listen } });
  submit(channel, "1", "10");
  submit(channel, "2", DENIED, { attachments: [VOICE] });
  await channel.drain();
  await deny(channel);
  channel.answer([text("one"), end()]);
  await channel.clock.advance(5000);
  expect([channel.requests.length, listened]).toEqual([1, []]);
  expect([...channel.shown().values()].at(-1)).toBe(KEPT_OUT);
});

it.each([
  ["", openScopes()],
  [", even if the server's scope can't be reached", down],
])(
  "a message that waits to join an answer does not join if those lists keep its person out by then%s",
  async (_, scope) => {
    const channel = createChannelHarness({ scope, tools: [look] });
    channel.store.putSetting("follow_up", "steer");
    submit(channel, "1", DENIED);
    await channel.drain();
    submit(channel, "2", DENIED);
    await deny(channel);
    channel.answer([end(["look"])]);
    await channel.clock.advance(2000);
    channel.answer([text("done"), end()]);
    await channel.clock.advance(5000);
    expect(channel.requests.at(-1)?.messages.at(-1)?.role).toBe("tool");
    expect([...channel.shown()]).toEqual([
      ["token-2+1", KEPT_OUT],
      ["token-1", "done"],
    ]);
  },
);

it("a due reminder says nothing if its server's lists keep its person out, even if its channel doesn't know that yet", async () => {
  const note = { settings: { deny_users: DENIED }, isLimited: false };
  const scope = openScopes({
    lease: async () => ({ kind: "granted", allowance: ALLOWANCE, until: 2_000_000, note }),
  });
  const channel = createChannelHarness({ scope });
  channel.remindersFor(testRequest("9", DENIED)).set({ key: "k", text: "tea", dueAt: channel.clock.now() + 60_000 });
  await channel.clock.advance(60_000);
  channel.runAlarm();
  await channel.clock.advance(20_000);
  expect([channel.requests, [...channel.shown()]]).toEqual([[], []]);
});

it("a turn that waited and is parked after its start is not ended by a pause that comes meanwhile", async () => {
  const answers: LeaseAnswer[] = [{ kind: "granted", allowance: ALLOWANCE, until: 2_000_000 }];
  const paused: LeaseAnswer = { kind: "refused", refusal: { reason: "paused" } };
  const purge = tool("purge", async () => ({ ok: true, data: "purged" }), {
    category: "dangerous",
    hints: { readOnly: false, idempotent: false, destructive: true, openWorld: true },
  });
  const scope = openScopes({ lease: async () => answers.shift() ?? paused });
  const channel = createChannelHarness({ scope, tools: [purge] });
  const submit = (id: string, userId: string) =>
    channel.submit({ trigger: { ...testRequest(id, userId), ...HERE, receivedAt: channel.clock.now() } });
  submit("1", "10");
  submit("2", "11");
  await channel.drain();
  channel.answer([text("one"), end()]);
  await channel.clock.advance(5000);
  channel.answer([end([["purge", {}]])]);
  await channel.clock.advance(5000);
  const press = { applicationId: "1", token: "token-p", messageId: "original-token-2" };
  const by = { userId: "11", userName: "x", moderator: false };
  expect(channel.approve({ interactionId: "p", turnId: "2", approved: true, ...by, press })).toEqual({
    result: "approved",
  });
  await channel.clock.advance(5000);
  channel.answer([text("It is done."), end()]);
  await channel.clock.advance(5000);
  expect(channel.store.turn("2")?.status).toBe("completed");
  expect(answers).toEqual([]);
});

it("a turn that waited and began by the last decision because its scope was down is not ended by a later pause", async () => {
  let asked = 0;
  const scope = openScopes({
    async lease() {
      asked++;
      if (asked === 1) throw new Error("down");
      return { kind: "refused", refusal: { reason: "paused" } };
    },
  });
  const look = tool("look", async () => ({ ok: true, data: "a lamp" }));
  const channel = createChannelHarness({ scope, tools: [look] });
  for (const [id, userId] of [
    ["1", "10"],
    ["2", "11"],
  ] as const)
    channel.submit({ trigger: { ...testRequest(id, userId), ...HERE, receivedAt: channel.clock.now() } });
  await channel.drain();
  channel.answer([text("one"), end()]);
  await channel.clock.advance(5000);
  channel.answer([end([["look", {}]])]);
  await channel.clock.advance(5000);
  channel.answer([text("A lamp."), end()]);
  await channel.clock.advance(5000);
  expect([channel.store.turn("2")?.status, asked]).toEqual(["completed", 1]);
});
