// Random turns of an object that may send only a limited number of requests in each event: long answers, answers in several messages, tools
// that send many requests themselves, people who ask at the same time, stops.

import { object, string } from "zod";
import { readTurnText } from "../../durable-objects/store/turn-text.ts";
import { RATE_WINDOW_MS } from "../../src/core/decisions/ask-rate.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { defineTool, type Tool } from "../../src/toolkit/define/tool.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { question, rounds } from "../crash/scenario.ts";
import { FaultHarness } from "../support/fault-harness.ts";
import type { RequestLimit } from "../support/request-limit.ts";
import type { Answer } from "../support/scripted-model.ts";
import { planFaults, seededRandom } from "./plan.ts";
import { type Asked, isFinal, People } from "./stage.ts";
import { findViolations } from "./violations.ts";

/** One planned turn. `calls`: the tools that the model calls in each step before it answers. */
interface PlannedTurn {
  text: string;
  as: string;
  byMessage: boolean;
  calls: string[][];
  pieces: number;
  /** How long after the question it is stopped; null: never. */
  stopAfterMs: number | null;
}

/** The result of some turns. */
export interface LimitedRun {
  turns: number;
  /** How many turns a stop has ended before their last word. */
  stopped: number;
  faults: string[];
}

/** A piece takes 200 ms, and a message has room for about thirty. */
const MOST_PIECES = 60;
/** The pages of each book that a tool reads. */
const PAGES = 6;
const FILLING = "lorem ipsum dolor sit amet, consectetur adipiscing elit";
const ASKERS = [PEOPLE.theo, PEOPLE.mira, PEOPLE.juno];
/** One needs another server, one some pages, and two need nothing. No remote tool, because a turn that has read its result asks for approval. */
const TOOLS = ["send", "look", "count", "read"];

/** Plays `waves` of one to three questions each, one after the other, and checks what people, the model and receivers got. */
export async function playLimited(seed: number, waves: number, limit: RequestLimit): Promise<LimitedRun> {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const planned: PlannedTurn[] = [];
  const planStep = (): string[] => {
    const only = random() < 0.4 ? "look" : null;
    return Array.from({ length: 1 + upTo(7) }, () => only ?? TOOLS[upTo(3)] ?? "read");
  };
  const planTurn = (as: string, mayBeStopped: boolean): PlannedTurn => ({
    text: `turn ${seed} ${planned.length}.`,
    as,
    byMessage: random() < 0.4,
    calls: Array.from({ length: upTo(2) }, planStep),
    pieces: 1 + (random() < 0.5 ? upTo(8) : upTo(MOST_PIECES - 1)),
    stopAfterMs: random() < 0.3 && mayBeStopped ? upTo(20_000) : null,
  });
  const world = new FaultHarness(
    {
      name: "limited turns",
      answerTo: (request) => answer(planned, request),
      play: async () => {},
      full: {},
      variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken },
    },
    planFaults(),
  );
  world.requestLimit = limit;
  world.tools = [look, send];
  world.web = async ({ method, url }) => {
    if (method === "POST") world.effects.push(`sent ${url}`);
    return new Response("a page", { headers: { "content-type": "text/plain" } });
  };
  world.openDoor();
  const people = new People(world, "wait");
  const stage = people.stage();
  for (let wave = 0; wave < waves; wave++) {
    for (const [place, as] of ASKERS.slice(0, 1 + upTo(2)).entries()) {
      const turn = planTurn(as, place === 0);
      planned.push(turn);
      if (turn.byMessage) await stage.write(as, turn.text);
      else await stage.say(as, turn.text);
      if (turn.stopAfterMs === null) continue;
      await stage.pass(turn.stopAfterMs);
      const one = people.asked.find(({ text }) => text === turn.text);
      const shown = one ? people.reply(one) : null;
      if (shown && !isFinal(shown) && shown.components.length > 0) await stage.clickStop(as, turn.text);
      else turn.stopAfterMs = null;
    }
    await people.rest();
    await world.clock.advance(RATE_WINDOW_MS);
  }
  await world.settle();
  const { violations } = findViolations(world, people, "wait", null);
  const faults = [
    ...people.violations,
    ...violations,
    ...world.logs.flatMap(({ level, text }) => (level === "error" ? [`logged: ${text.slice(0, 200)}`] : [])),
    ...planned.flatMap((turn) => findTurnFaults(world, people.asked, turn)),
    ...effectFaults(world, planned),
    ...takenOver(world),
  ];
  world.restart();
  return { turns: planned.length, stopped: planned.filter(({ stopAfterMs }) => stopAfterMs !== null).length, faults };
}

const planOf = (planned: readonly PlannedTurn[], request: ModelRequest): PlannedTurn | undefined =>
  planned.find(({ text }) => question(request).endsWith(text));

function answer(planned: readonly PlannedTurn[], request: ModelRequest): Answer {
  const turn = planOf(planned, request);
  if (!turn) return { texts: ["fine"] };
  const step = rounds(request);
  const calls = turn.calls[step];
  if (!calls) return { texts: words(turn) };
  return {
    calls: calls.map((name, index) => ({ name, args: argsOf(name, turn, step, index) })),
  };
}

/** Makes arguments that never repeat, because a model that repeats itself is stopped. */
const argsOf = (name: string, turn: PlannedTurn, step: number, index: number) =>
  name === "look" ? { book: bookOf(turn, step, index) } : { note: `${step} ${index}` };

const bookOf = ({ text }: PlannedTurn, step: number, index: number) => `${text.replace(/\W/g, "-")}${step}-${index}`;

/** Reads the pages of a book, one after the other: any of its requests may be the first that is refused. */
const look: Tool = defineTool({
  name: "look",
  description: "Test tool: reads a book.",
  input: object({ book: string() }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  requires: { services: ["fetch"] },
  async execute({ book }, { fetch, signal }) {
    const read = [];
    for (let page = 0; page < PAGES; page++)
      read.push(await (await fetch(`https://example.org/${book}-${page}`, { signal })).text());
    return { ok: true, data: read };
  },
});

/** Takes effect at another server with its second request, and may not run twice. */
const send: Tool = defineTool({
  name: "send",
  description: "Test tool: sends a note.",
  input: object({ note: string() }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  requires: { services: ["fetch"] },
  async execute({ note }, { fetch, signal, idempotencyKey }) {
    const to = `https://example.org/${encodeURIComponent(`${idempotencyKey} ${note}`)}`;
    await fetch(to, { signal });
    await fetch(to, { method: "POST", signal });
    return { ok: true, data: "sent" };
  },
});

const words = ({ text, pieces }: PlannedTurn): string[] =>
  Array.from({ length: pieces }, (_, index) => `${markOf(text)}${index}; ${FILLING} ${text}${index} `);

/** What precedes the number of each piece. */
const markOf = (text: string) => `w${text.replace(/\D+/g, "x")}p`;

/** Checks that the answer is complete, or the beginning of a stopped one, and that each request that it needed came once. */
function findTurnFaults(world: FaultHarness, asked: readonly Asked[], turn: PlannedTurn): string[] {
  const { text, pieces, calls, stopAfterMs } = turn;
  const isStopped = stopAfterMs !== null;
  const said = world.discord
    .messages(world.channelId, turn.as)
    .flatMap(({ author, content, attachments }) => (author.bot ? [content, ...attachments.map(fileText)] : []))
    .join("\n");
  const shown = [...said.matchAll(new RegExp(`${markOf(text)}(\\d+);`, "g"))].map(([, number]) => Number(number));
  const isInOrder = shown.every((number, index) => number === index);
  const pages = calls.flatMap((names, step) =>
    names.flatMap((name, index) =>
      name === "look" ? Array.from({ length: PAGES }, (_, page) => `/${bookOf(turn, step, index)}-${page}`) : [],
    ),
  );
  const gets = (path: string) => world.plan.calls.filter(({ name }) => name === `GET ${path.slice(0, 40)}`).length;
  const models = world.requests.filter((request) => planOf([turn], request)).length;
  return [
    ...(isInOrder && (isStopped ? shown.length <= pieces : shown.length === pieces)
      ? []
      : [`"${text}" shows ${shown.length} of ${pieces} pieces: ${shown.slice(0, 200).join(" ")}`]),
    ...(isStopped || models === calls.length + 1
      ? []
      : [`"${text}" asked the model ${models} times, not ${calls.length + 1}`]),
    ...pages.flatMap((path) =>
      gets(path) === 1 || (isStopped && gets(path) === 0) ? [] : [`${path} was read ${gets(path)} times`],
    ),
    ...(asked.some((one) => one.text === text) ? [] : [`"${text}" was not asked`]),
  ];
}

const fileText = ({ text = "" }: { text?: string }) => text;

/** Checks that the other server got each request once. A stopped turn may have sent fewer. */
function effectFaults({ effects }: FaultHarness, planned: readonly PlannedTurn[]): string[] {
  const asked = (turns: readonly PlannedTurn[]) =>
    turns.flatMap(({ calls }) => calls.flat()).filter((name) => name === "send").length;
  const came = effects.filter((key) => key.startsWith("sent ")).length;
  const least = asked(planned.filter(({ stopAfterMs }) => stopAfterMs === null));
  const isRight = came >= least && came <= asked(planned);
  return isRight ? [] : [`${came} effects came of ${least} to ${asked(planned)}`];
}

/** The turns that another life or a second try had to continue. */
function takenOver({ database }: FaultHarness): string[] {
  const records = database.sql.exec("SELECT record FROM turns").toArray();
  return records
    .map(({ record }) => readTurnText(String(record)))
    .flatMap(({ id, takeovers }) => (takeovers === 0 ? [] : [`turn ${id} was taken over ${takeovers} times`]));
}
