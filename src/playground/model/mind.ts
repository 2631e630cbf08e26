// Decides the local model's answer to a request, by rules in a fixed order and without randomness. Answers in script steps, so that people
// and tests get their answers over the same wire.

import { caughtUp } from "./catching-up.ts";
import { deedAfter } from "./channel-errands.ts";
import { diceErrand, type Errand, errandsIn } from "./errands.ts";
import { type Heard, hear } from "./hearing.ts";
import { paced, SLOW_MS, TALK_MS, talk } from "./pacing.ts";
import { CODE, LONG_CODE, STORY, TABLE, THOUGHTS } from "./pieces.ts";
import type { ChatRequest } from "./request.ts";
import type { Part, ScriptStep } from "./script.ts";
import { chat, handles, leafThrough } from "./smalltalk.ts";
import { summedUp } from "./summing-up.ts";
import { tellAll } from "./telling.ts";

const COUNT_LIMIT = 1_000;
const RETRY_AFTER_SECONDS = "2";

type Rule = { pattern: RegExp; answer: (heard: Heard, words: string[]) => ScriptStep };

// Matches the whole message only: "fail" asks for a failure, "I fail to see it" is talk.
const alone = (words: string) => new RegExp(`^\\W*(?:please )?(?:${words})(?: please| now)?\\W*$`, "i");

const TROUBLE: Rule[] = [
  { pattern: alone("fail"), answer: () => ({ status: 500 }) },
  {
    pattern: alone("rate[ -]?limit(?: me)?"),
    answer: () => ({ status: 429, headers: { "retry-after": RETRY_AFTER_SECONDS } }),
  },
  { pattern: alone("stall"), answer: () => ({ chunks: [{ hang: true }] }) },
  { pattern: alone("say nothing"), answer: () => ({ chunks: [] }) },
  {
    pattern: alone("cut off"),
    answer: () => ({
      chunks: [...paced("I was about to tell you the most important thing of", TALK_MS), { cut: true }],
    }),
  },
  {
    pattern: alone("run out of words"),
    answer: () => ({
      chunks: paced("I could go on about this for hours, if only somebody", TALK_MS),
      finish: "length",
    }),
  },
  {
    pattern: alone("broken tool"),
    answer: (heard) => ({ chunks: [{ call: { name: anyTool(heard), arguments: '{"half": "a thou' } }] }),
  },
  {
    pattern: alone("unknown tool"),
    answer: () => ({ chunks: [{ call: { name: "consult_the_oracle", arguments: { question: "why?" } } }] }),
  },
];

const PIECES: Rule[] = [
  // The text that explains handles mentions times and tools without asking for them.
  { pattern: /\bhandle \(ref_/, answer: (heard) => talk(handles(heard)) },
  { pattern: /\bcount (?:up )?to (\d{1,6})\b/i, answer: (_, [, limit]) => ({ chunks: counting(Number(limit)) }) },
  { pattern: /\b(?:long|endless) (?:story|tale)\b/i, answer: () => ({ chunks: paced(STORY, SLOW_MS) }) },
  { pattern: /\bvery long (?:answer|piece|block)?\b.*\bcode\b/i, answer: () => talk(LONG_CODE) },
  { pattern: /\blong answer\b.*\bcode\b|\bshow (?:me )?(?:some |the )?code\b/i, answer: () => talk(CODE) },
  { pattern: /\bshow (?:me )?(?:a |the )?table\b/i, answer: () => talk(TABLE) },
  {
    pattern: /\bthink (?:it over )?first\b/i,
    answer: () => ({
      chunks: [
        ...paced(THOUGHTS, TALK_MS).map((part) => ("text" in part ? { reasoning: part.text } : part)),
        ...paced(
          "I thought about it first. My conclusion: thinking takes a moment, and you were spared the details.",
          TALK_MS,
        ),
      ],
    }),
  },
];

/**
 * Answers a checked request. The rules in order: what somebody missed, a summary, running away, results of tools, trouble on demand, long
 * pieces, files, errands, small talk.
 */
export function answer(request: ChatRequest): ScriptStep {
  const heard = hear(request);
  const digest = caughtUp(heard.said) ?? summedUp(heard.said);
  if (digest) return talk(digest);
  if (alone("run away").test(heard.said)) return runAway(heard);
  const deed = deedAfter(heard);
  if (deed) return calling([deed]);
  if (heard.outcomes.length > 0) return talk(tellAll(heard.outcomes));
  for (const { pattern, answer } of [...TROUBLE, ...PIECES]) {
    const words = pattern.exec(heard.said);
    if (words) return answer(heard, words);
  }
  if (heard.files.length > 0) return talk(heard.files.map(leafThrough).join("\n"));
  return errands(heard) ?? talk(chat(heard));
}

function errands(heard: Heard): ScriptStep | undefined {
  const wanted = errandsIn(heard);
  if (wanted.length === 0) return undefined;
  const possible = wanted.filter(({ tool }) => heard.offered.has(tool));
  if (possible.length > 0) return calling(possible);
  return talk(
    `I'd use \`${wanted[0]?.tool}\` for that, but it was not offered to me this time. \`/tools list\` says why.`,
  );
}

const calling = (errands: Errand[]): ScriptStep => ({
  chunks: errands.flatMap(({ tool, arguments: given, before }): Part[] => [
    ...(before === undefined ? [] : [{ text: before }]),
    { call: { name: tool, arguments: given } },
  ]),
});

// Each round asks for different dice, so that only a limit can end it and not the detector of identical calls.
function runAway(heard: Heard): ScriptStep {
  if (heard.offered.size === 0)
    return talk(
      `They took my tools away after ${heard.rounds} round${heard.rounds === 1 ? "" : "s"}. I was just getting started!`,
    );
  const { tool, arguments: given } = heard.offered.has("roll_dice")
    ? diceErrand(heard.offered, `1d${heard.rounds + 2}`)
    : { tool: anyTool(heard), arguments: { round: heard.rounds + 1 } };
  return { chunks: [{ call: { name: tool, arguments: given } }] };
}

const anyTool = ({ offered }: Heard) =>
  offered.has("roll_dice") ? "roll_dice" : ([...offered.keys()][0] ?? "roll_dice");

const counting = (limit: number): Part[] => {
  const last = Math.min(limit, COUNT_LIMIT);
  const numbers = Array.from({ length: last }, (_, index) => `${index + 1}${index + 1 < last ? ", " : "."}`);
  return numbers.flatMap((text) => [{ text }, { waitMs: SLOW_MS }]);
};
