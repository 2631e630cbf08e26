// The world around the product in a soak: the local Discord in bad weather, and a model that answers each question by the plan, with its
// faults. Both outlive every death of the runtime and keep what the verdict is based on.
import { setTimeout as sleep } from "node:timers/promises";
import { answerIn } from "../../src/playground/discord/forecast.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { createLocalModel } from "../../src/playground/model/model.ts";
import { type Served, serve } from "../../src/playground/serve.ts";
import { seededRandom } from "../faults/plan.ts";
import { exampleVars } from "../support/e2e-harness.ts";
import { hasWorkLine, openButtons } from "../support/shown-answer.ts";
import { askedAs, numberIn, type Question, stepOf, weatherFor } from "./plan.ts";
import type { Asked, Said } from "./verdict.ts";

/** The ids of the soak's people come after those of the local Discord's people. */
const FIRST_PERSON = 1_190_000_000_000_000_000n;
const FIRST_CHANNEL_AFTER = 1000n;
const SLOW_MS = 4000;
/** At first Discord may not know a command's token, and its answer saying so may arrive long after it knows the token. */
const RACE_MS = 500;
const LATE_MS = 11_000;
const LATE_SHARE = 0.005;
const APPLICATION_ID = "1300000000000000001";

/** The world of one soak. */
export interface SoakWorld {
  url: string;
  /** Sets where interactions go from now on. */
  connect(productUrl: string): void;
  /** Asks, and resolves when Discord knows what became of it. */
  ask(question: Question): Promise<void>;
  /** Has somebody stop what runs in a channel. */
  stop(channel: number): Promise<void>;
  /** How many replies are not finished. */
  open(): number;
  asked(): Asked[];
  said(): Said[];
  replies(): Map<number, Said>;
  effects: string[];
  /** What was counted during the soak, for the summary. */
  counts: Map<string, number>;
  /** Requests that Discord would refuse. */
  violations(): string[];
  /** Ends the bad weather and the model's faults, so that open replies can finish. */
  calm(): void;
  close(): Promise<void>;
}

interface Known extends Asked {
  messageId: string | null;
  askedAt: number;
}

interface Body {
  messages?: { role: string; content: unknown }[];
}

/** Makes the world of this seed. */
export async function createSoakWorld(seed: number, channels: number): Promise<SoakWorld> {
  let productUrl = "";
  let isCalm = false;
  const effects: string[] = [];
  const counts = new Map<string, number>();
  const known = new Map<number, Known>();
  const requests = new Map<number, number>();
  const random = seededRandom(seed);
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const model = createLocalModel({
    now: Date.now,
    sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  });

  async function answer(request: Request): Promise<Response> {
    const { messages = [] } = (await request.clone().json()) as Body;
    const newest = messages.findLastIndex(({ role }) => role === "user");
    const words = JSON.stringify(messages[newest]?.content ?? "");
    const isSummary = String(messages[0]?.content).startsWith("You keep the notes");
    const number = isSummary ? null : numberIn(words);
    const one = number === null ? undefined : known.get(number);
    if (number === null || !one) {
      count(isSummary ? "summaries" : "other requests of the model");
      return model.fetch(request);
    }
    const nth = requests.get(number) ?? 0;
    requests.set(number, nth + 1);
    const hasResult = messages.slice(newest + 1).some(({ role }) => role === "tool");
    const { step, fault } = stepOf(seed, one.question, nth, hasResult, !isCalm);
    if (fault) {
      one.isWhole = false;
      count(`model: ${fault}`);
    }
    model.script([{ ...step, when: { userTextIncludes: `q${number}q` } }]);
    return model.fetch(request);
  }

  /** Makes some answers slow. */
  async function inTime(answer: Response): Promise<Response> {
    if (isCalm || random() >= LATE_SHARE) return answer;
    count("Discord: late");
    await sleep(LATE_MS);
    return answer;
  }

  const handler = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/v1/chat/")) return answer(request);
    if (pathname.startsWith("/v1/")) return model.fetch(request);
    if (!pathname.startsWith("/tool/")) return inTime(await discord.fetch(request));
    if (pathname === "/tool/effect") effects.push(await request.text());
    return new Response(null, { status: 204 });
  };
  const served: Served = await serve(handler);
  const discord: LocalDiscord = createLocalDiscord({
    now: Date.now,
    applicationId: APPLICATION_ID,
    cdnUrl: served.url,
    dispatch: async ({ headers, body }) =>
      fetch(`${productUrl}/interactions`, { method: "POST", headers, body: await new Response(body).text() }),
    options: { buckets: { limit: 5, windowMs: 2000 }, webhookRaceMs: RACE_MS },
  });
  discord.addWeather(async () => {
    const kind = isCalm ? null : weatherFor(random());
    if (kind === null) return null;
    count(`Discord: ${kind}`);
    if (kind !== "slow") return answerIn(kind);
    await sleep(SLOW_MS);
    return null;
  });

  const channelId = (channel: number) => String(BigInt(PLACES.general) + FIRST_CHANNEL_AFTER + BigInt(channel));
  const byBot = (channel: number): LocalMessage[] =>
    discord.messages(channelId(channel), PEOPLE.mira).filter(({ author, ephemeral }) => author.bot && !ephemeral);
  const isOver = ({ content, components, loading, failed }: LocalMessage) =>
    failed !== undefined ||
    (!loading &&
      content !== "" &&
      !hasWorkLine(content) &&
      !openButtons(components).some(({ label }) => label === "Stop"));
  const asSaid = (channel: number, message: LocalMessage): Said => ({
    channel,
    text: message.content,
    files: message.attachments.flatMap(({ text }) => text ?? []),
    isOver: isOver(message),
  });
  const every = () =>
    Array.from({ length: channels }, (_, channel) => byBot(channel).map((message) => ({ channel, message }))).flat();

  return {
    url: served.url,
    connect: (url) => {
      productUrl = url;
    },
    async ask(question) {
      const one: Known = { question, isAccepted: false, isWhole: true, messageId: null, askedAt: Date.now() };
      known.set(question.number, one);
      const outcome = await discord.interact({
        kind: "command",
        channel: channelId(question.channel),
        as: String(FIRST_PERSON + BigInt(question.channel * 1000 + question.person)),
        name: "chat",
        options: { message: askedAs(question.number) },
      });
      count(`interactions: ${outcome.seen}`);
      one.isAccepted = outcome.seen === "thinking";
      one.messageId = outcome.messageId ?? null;
    },
    async stop(channel) {
      for (const one of known.values()) if (one.question.channel === channel && !isWholeIn(one)) one.isWhole = false;
      const done = await discord.interact({
        kind: "command",
        channel: channelId(channel),
        as: PEOPLE.mira,
        name: "stop",
      });
      count(`stops: ${done.seen}`);
    },
    open: () => every().filter(({ message }) => !isOver(message)).length,
    asked: () => [...known.values()],
    said: () => every().map(({ channel, message }) => asSaid(channel, message)),
    replies() {
      const byId = new Map(every().map(({ channel, message }) => [message.id, asSaid(channel, message)]));
      const found = new Map<number, Said>();
      for (const { question, messageId } of known.values()) {
        const said = messageId === null ? undefined : byId.get(messageId);
        if (said) found.set(question.number, said);
      }
      return found;
    },
    effects,
    counts,
    violations: () => discord.violations.map(({ where, refusal }) => `${where}: ${JSON.stringify(refusal)}`),
    calm: () => {
      isCalm = true;
    },
    close: () => served.close(),
  };

  /** Whether its answer was complete before somebody stopped what runs here. */
  function isWholeIn({ question, messageId }: Known): boolean {
    const message = byBot(question.channel).find(({ id }) => id === messageId);
    return message !== undefined && isOver(message) && message.content.includes(`e${question.number}e`);
  }
}

/** The variables of the product. With the bot's token, an answer can still be finished after its command's token has ended. */
export function soakVariables(url: string, hasToken: boolean): Record<string, string> {
  const lines = exampleVars(url).matchAll(/^([A-Z_]+)=(.*)$/gm);
  return {
    ...Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value])),
    TOOL_SERVER_URL: url,
    DISCORD_BOT_TOKEN: hasToken ? APPLICATION.botToken : "",
    // A stalled model is given up soon, so that a soak has time for many stalls.
    STREAM_SDK_CALL_TIMEOUT_MS: "10000",
    MAX_FOLLOW_UP_INTERRUPTS: "0",
  };
}
