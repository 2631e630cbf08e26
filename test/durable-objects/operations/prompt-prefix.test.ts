// How much of a request a provider's cache can cover: the part that is, byte for byte, the beginning of the next request. Nobody answers
// requests for summaries here, so the window moves.
import { expect, it } from "vitest";
import { estimateTokens } from "../../../src/core/transcript/tokens.ts";
import { requestBody } from "../../../src/model/request-body.ts";
import { PEOPLE } from "../../../src/playground/discord/world.ts";
import { rollDice } from "../../../src/tools/roll-dice.ts";
import { updateShortTermMemory } from "../../../src/tools/update-short-term-memory.ts";
import type { ModelEvent, ModelRequest } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { BOT, createMessageHarness } from "../../support/message-harness.ts";
import { testRequest } from "../../support/store-contract.ts";
import { isForTurn } from "../../support/summaries.ts";
import { saysUncounted as says, tool } from "../../support/turn-script.ts";

const TURNS = 150;
const WORDS = "It depends on the weather, the tide and the mood of the harbour master, who rarely says why. ".repeat(4);

const callsFor = (id: string, name: string, given: object): ModelEvent[] => {
  const calls = [{ id, name, arguments: JSON.stringify(given) }];
  return [{ kind: "end", finishReason: "tool_calls", calls, usage: null }];
};

/** The parts of a request in the order in which they are cached: tools first, then the messages. */
function cachedText(request: ModelRequest): string {
  const { tools, messages } = requestBody("m", request);
  return JSON.stringify([tools, messages]);
}

/** The share of a request that is the beginning of the next one, in tokens. */
function sharedPart(request: ModelRequest, next: ModelRequest): number {
  const [one, other] = [cachedText(request), cachedText(next)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return estimateTokens(one.slice(0, same)) / estimateTokens(one);
}

/** A page of typical length. */
const page = tool("page", () => ({ ok: true, data: WORDS.repeat(16) }), { untrusted: true });

it.each([
  ["nine tenths", "tools", "roll_dice", { notation: "3d6" }, 0.9, TURNS / 10],
  // What follows a dropped page is new to the cache; without the pages a request has half as many tokens.
  ["four fifths", "pages, which are dropped after three turns", "page", {}, 0.8, TURNS / 3],
] as const)(
  "%s of a request are the beginning of the next turn's, over a long conversation of several people with notes and %s",
  async (_share, _what, name, given, least, mostMoves) => {
    const c = createChannelHarness({ tools: [rollDice, updateShortTermMemory, page] });
    const firsts: ModelRequest[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      // Nobody asks more often than the default allows. Three people, two of them with the same name, who pause, reply and mention each other.
      const person = turn % 3;
      const id = String(turn);
      const said = turn % 5 === 0 ? { text: `ask <@${turn % 2}>`, repliesTo: String(turn - 2) } : {};
      const request = { ...testRequest(id, String(person)), userName: person === 0 ? "Theo" : "Mira", ...said };
      if (turn % 7 === 0) await c.clock.advance(15 * 60_000);
      c.submit({ trigger: { ...request, receivedAt: c.clock.now() } });
      await c.clock.advance(10);
      firsts.push(c.requests.findLast(isForTurn) as ModelRequest);
      if (turn % 10 === 0) {
        c.answer(callsFor("n", "update_short_term_memory", { notes: `Note ${turn}: they like dice.` }), isForTurn);
        await c.clock.advance(10);
      }
      if (turn % 4 === 0) {
        c.answer(callsFor("r", name, given), isForTurn);
        await c.clock.advance(10);
      }
      c.answer(says(`${turn}: ${WORDS}`), isForTurn);
      await c.clock.advance(5000);
    }
    const shares = firsts.slice(1).map((request, at) => sharedPart(firsts[at] as ModelRequest, request));
    const moved = shares.filter((share) => share < 0.9).length;
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    console.log(
      `${(mean * 100).toFixed(1)} % of a request are the beginning of the next; the window moved ${moved} times`,
    );
    expect(mean).toBeGreaterThan(least);
    expect(moved).toBeLessThanOrEqual(mostMoves);
  },
);

it("overheard words cost only their own share: the history before them stays cached", async () => {
  const place = await createMessageHarness({
    readsContent: true,
    answerTo: () => ({ texts: [WORDS] }),
    settings: { turns_per_minute: "0" },
  });
  const firsts: ModelRequest[] = [];
  for (let turn = 1; turn <= 15; turn++) {
    place.write(PEOPLE.mira, `Something about the tide, number ${turn}.`);
    place.write(PEOPLE.juno, `And the weather, number ${turn}.`);
    place.write(PEOPLE.theo, `${BOT} what do you say, number ${turn}?`);
    await place.rest();
    firsts.push(place.world.requests.at(-1) as ModelRequest);
  }
  expect(firsts.every(({ messages }) => messages.at(-2)?.text.startsWith("Overheard"))).toBe(true);
  const shares = firsts.slice(1).map((request, at) => sharedPart(firsts[at] as ModelRequest, request));
  console.log(`with what is overheard: ${shares.map((share) => (share * 100).toFixed(0)).join(", ")} %`);
  expect(shares.slice(5).every((share) => share > 0.9)).toBe(true);
});
