// A conversation of 400 turns: what was said early is still there at its end, no request is larger than the window, the summaries cost
// one request for every seven turns, and between summaries a provider's cache covers nine tenths of a request.
import { expect, it } from "vitest";
import { MAX_TRANSCRIPT_TOKENS } from "../../../src/core/limits.ts";
import { estimateTokens } from "../../../src/core/transcript/tokens.ts";
import { tokensOfAll } from "../../../src/core/transcript/transcript.ts";
import { requestBody } from "../../../src/model/request-body.ts";
import type { ModelRequest } from "../../../src/turn/ports.ts";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { alarm, says, talk } from "../../support/long-talk.ts";
import { nodeSqlite } from "../../support/node-sqlite.ts";
import { carriesFacts, isForSummary, textOf } from "../../support/summaries.ts";

const TURNS = 400;
/** One after the first 13 turns, and one for every seven that follow: about 7,000 tokens. */
const SUMMARIES = 1 + Math.floor((TURNS - 13) / 7);
const FACTS: Readonly<Record<number, string>> = { 3: "FACT lamp", 50: "FACT river", 200: "FACT seven" };

/** The share of a request that is the beginning of the next one, in tokens. */
function sharedPart(request: ModelRequest, next: ModelRequest): number {
  const [one, other] = [request, next].map((each) => JSON.stringify(requestBody("m", each).messages));
  let same = 0;
  while (same < (one?.length ?? 0) && one?.[same] === other?.[same]) same++;
  return estimateTokens((one ?? "").slice(0, same)) / estimateTokens(one ?? "");
}

it("the facts of turn 3, 50 and 200 are in the request of turn 400", async () => {
  const c = createChannelHarness({ database: nodeSqlite() });
  const firsts: ModelRequest[] = [];
  const summarizedBefore: boolean[] = [];
  for (let turn = 1, hasSummary = false; turn <= TURNS; turn++, hasSummary = false) {
    while (await alarm(c)) {
      hasSummary = c.answer(says(carriesFacts(c.requests.at(-1) as ModelRequest)));
      await c.clock.advance(1);
    }
    await talk(c, turn, FACTS[turn] ?? `Question ${turn}.`, { userId: String(10 + (turn % 3)) });
    firsts.push(c.requests.at(-1) as ModelRequest);
    summarizedBefore.push(hasSummary);
  }
  const asked = c.requests.filter(isForSummary);
  expect(Object.values(FACTS).filter((fact) => !textOf(firsts.at(-1) as ModelRequest).includes(fact))).toEqual([]);
  expect([asked.length, c.requests.length]).toEqual([SUMMARIES, TURNS + SUMMARIES]);
  const sizes = c.requests.map(({ messages }) => tokensOfAll(messages));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_TRANSCRIPT_TOKENS);
  const shares = firsts.slice(1).map((request, at) => sharedPart(firsts[at] as ModelRequest, request));
  expect(shares.filter((share, at) => share < 0.9 && !summarizedBefore[at + 1])).toEqual([]);
  expect(summarizedBefore.filter((was) => was)).toHaveLength(SUMMARIES);
  expect(c.store.summary()).toMatchObject({ users: ["11", "12", "10"], fromSeq: 1 });
});
