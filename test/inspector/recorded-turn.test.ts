// The pages over what a channel really stores: a turn is asked, answered and looked at.
import { expect, it } from "vitest";
import { answerInspector, createReader } from "../../src/inspector/inspector.ts";
import { createChannelHarness } from "../support/channel-harness.ts";
import { nodeSqlite } from "../support/node-sqlite.ts";
import { openScopes } from "../support/scopes.ts";
import { testRequest } from "../support/store-contract.ts";

const TOKEN = "a token of the owner";
const CHANNEL = "1300000000000000011";

/** A channel with a turn that was answered, and a later one that still runs. */
async function arrange() {
  const channel = createChannelHarness({ database: nodeSqlite(), startsAt: 1_900_000_000_000 });
  const submit = (id: string, text: string) =>
    channel.submit({ trigger: { ...testRequest(id), guildId: "9", receivedAt: channel.clock.now(), text } });
  submit("100", "How high is the lighthouse?");
  await channel.clock.advance(3000);
  const usage = { inputTokens: 40, outputTokens: 4 };
  channel.answer([
    { kind: "text", text: "Forty metres." },
    { kind: "end", finishReason: "stop", calls: [], usage },
  ]);
  await channel.clock.advance(5000);
  submit("101", "And how old?");
  await channel.clock.advance(2000);
  return channel;
}

/** Asks as the owner, with the cookie that the form gives. */
async function look(channel: Awaited<ReturnType<typeof arrange>>, paths: readonly string[]): Promise<string[]> {
  const { now } = channel.clock;
  const logError = (line: string, detail: unknown) => {
    throw new Error(`${line} ${JSON.stringify(detail)}`);
  };
  const inspected = () => ({
    inspect: async (...question: Parameters<typeof channel.inspect>) => channel.inspect(...question),
  });
  const reader = createReader({
    inspected,
    scope: openScopes(),
    gateway: async () => "off",
    names: async () => ({}),
    now,
    logError,
  });
  const ask = (path: string, init: RequestInit) =>
    answerInspector(new Request(`https://parley.example${path}`, init), { token: TOKEN, reader, now, logError });
  const body = `token=${encodeURIComponent(TOKEN)}`;
  const signedIn = await ask("/inspect", { method: "POST", body });
  const cookie = signedIn.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  return Promise.all(paths.map(async (path) => (await ask(path, { headers: { Cookie: cookie } })).text()));
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

it("shows what was asked, answered and used, and the request with its question", async () => {
  const channel = await arrange();
  const [list = "", first = "", second = ""] = await look(channel, [
    `/inspect/channels/${CHANNEL}`,
    `/inspect/channels/${CHANNEL}/turns/100`,
    `/inspect/channels/${CHANNEL}/turns/101`,
  ]);
  expect(textOf(list)).toMatch(/Running now And how old\? 2\.00 s · told · /);
  expect(textOf(list)).toMatch(/How high is the lighthouse\? \S.* answered /);
  expect(textOf(first)).toMatch(/#1 How high is the lighthouse\? Its answer answered bot #2 Forty metres\./);
  expect(textOf(first)).toMatch(/40 read, 4 written/);
  expect(textOf(first)).toContain("call 1 3.00 s");
  // The next request had all of it before its own question.
  expect(textOf(second)).toMatch(/#1 .*How high is the lighthouse\? bot #2 .*Forty metres\. .*#3 And how old\?/);
  expect(textOf(second)).toContain("so far");
});

it("shows what was said of a stopped answer as that answer, and not as part of its request", async () => {
  const channel = await arrange();
  channel.stream([{ kind: "text", text: "Built in 1799, and" }]);
  await channel.clock.advance(2000);
  const who = { userId: "10", userName: "Mira", moderator: true };
  channel.stop({ interactionId: "s", kind: "stop", ...who, turnId: "101", channelWide: false } as never);
  await channel.clock.advance(5000);
  const [list = "", turn = ""] = await look(channel, [
    `/inspect/channels/${CHANNEL}`,
    `/inspect/channels/${CHANNEL}/turns/101`,
  ]);
  expect(textOf(list)).toMatch(/And how old\? \S.* stopped \S+ \S+ told /);
  expect(textOf(turn)).toMatch(/Request 1 to told 3 messages · /);
  expect(textOf(turn)).toMatch(/#3 And how old\? Its answer stopped bot #4 Built in 1799, and The reply/);
});
