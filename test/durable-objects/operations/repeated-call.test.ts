// Calls that an earlier model of the turn has already made: a later model that makes them again gets the result, and nobody is asked.
import { expect, it } from "vitest";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { type ChannelHarness, createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { EFFECT, end, tool } from "../../support/turn-script.ts";

const PRICE = { input: 1, output: 1 };
const page = tool("page", () => ({ ok: true, data: "words of strangers" }), { untrusted: true });
const moment = (c: ChannelHarness) => c.clock.advance(5000);
const calls = async (c: ChannelHarness, name: string, note: string) => {
  c.answer([end([[name, { note }]])]);
  await moment(c);
};

/** Plays a turn whose first model writes something, reads a page and fails; the second one writes the same. */
async function writtenTwice(more: Partial<Tool>, notes: readonly [string, string]) {
  const ran: unknown[] = [];
  const write = tool("write", (input) => ({ ok: true, data: `written ${ran.push(input)}` }), { ...EFFECT, ...more });
  const c = createChannelHarness({ tools: [page, write], price: [PRICE, PRICE] });
  // A conversation between people, where no moderator can be asked.
  c.submit({ trigger: { ...testRequest("1"), botIsHere: false, receivedAt: c.clock.now() } });
  await moment(c);
  await calls(c, "write", notes[0]);
  await calls(c, "page", "");
  c.answer([{ kind: "failed", failure: { reason: "refused", message: "no" } }]);
  await moment(c);
  await calls(c, "write", notes[1]);
  const results = (c.requests.at(-1)?.messages ?? []).flatMap((one) => (one.role === "tool" ? [one.text] : []));
  return { turn: c.store.turn("1"), ran, results };
}

it.each<[string, Partial<Tool>]>([
  ["by its asker", {}],
  ["by a moderator, although there is none", { approvedBy: "moderator" }],
])(
  "a call that strangers may have led to, and that would need approval %s, just gets its result again",
  async (_, more) => {
    const { turn, ran, results } = await writtenTwice(more, ["a", "a"]);
    expect([turn?.state, turn?.modelIndex, turn?.approval ?? null, ran.length]).toEqual(["running", 1, null, 1]);
    expect(results).toEqual([expect.stringContaining("written 1")]);
  },
);

it("a different call needs approval", async () => {
  const { turn, ran } = await writtenTwice({}, ["a", "b"]);
  expect([turn?.state, ran.length]).toEqual(["parked", 1]);
});
