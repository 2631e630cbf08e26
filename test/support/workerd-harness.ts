// Harness of the workers and crash lanes: one channel's world with the real object inside workerd. A local Discord, a local model
// and a receiver of tool effects, all in this process; the object finds its world by the channel's id. Replaces only what is
// outside the product. Use it for what needs the runtime: the alarm, storage, the output gate, deaths.
import { env } from "cloudflare:workers";
import type { ChannelPorts } from "../../durable-objects/channel-ports.ts";
import { type Outside, production } from "../../durable-objects/composition-root.ts";
import { type Config, parseConfig } from "../../src/config.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import type { OptionValue, Outcome, PickedFile } from "../../src/playground/discord/acts.ts";
import { createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { createLocalModel, type LocalModel } from "../../src/playground/model/model.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { tools } from "../../src/tools/index.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { type FaultPlan, type Point, planDeaths } from "./faults.ts";
import { type GatewayDoor, openGatewayDoor } from "./gateway-door.ts";
import { listed, mcpServer, says } from "./mcp-server.ts";
import { openScopes } from "./scopes.ts";
import { type Answer, scriptedModel } from "./scripted-model.ts";
import { withoutQuestion } from "./shown-answer.ts";
import { type FastTime, fastTime } from "./time.ts";
import { testTools } from "./tools.ts";
import { openWorldScopes, type WorldScopes } from "./world-scopes.ts";

/** Moderates; Theo and Ada do not. */
export const MIRA = PEOPLE.mira;
/** An ordinary member. */
export const THEO = PEOPLE.theo;

/** How fault points name a request to a model that listens or draws. */
export const LISTENING = "a model that listens";

/** A channel and everything around it. */
export interface WorkerdHarness {
  channelId: string;
  discord: LocalDiscord;
  /** Forwards messages, as the gateway's object does. */
  door: GatewayDoor;
  model: LocalModel;
  time: FastTime;
  /** Keys of the tool effects that arrived, in order. */
  effects: string[];
  /** The paths of requests to the models that listen and draw, in order. */
  media: string[];
  /** Releases the deaf tool, and the model's answers, now and from now on. */
  release(): void;
  /** What this channel's object can reach in one of its lives. */
  outside(life: Life): Outside;
  /** The variables of its Worker. */
  variables: object;
  /** Where lives end on purpose; in most tests nowhere. */
  faults: FaultPlan;
  /** What differs from the production ports, for this life. */
  overrides(life: Life): Partial<ChannelPorts>;
  requests: ModelRequest[];
  /** The provider's rules that model requests broke. Only a scripted model checks them. */
  modelFaults: string[];
  /** The reports of turns to the scope. A turn may be reported twice, because the scope counts it once. */
  reports: TurnReport[];
  /** This world's own scopes, by the product's names for them; null: open scopes, which store nothing. */
  scopes: WorldScopes | null;
  /** Uses `/chat`, with a file that people attach. */
  say(as: string, message: string, file?: PickedFile): Promise<Outcome>;
  /** Uses another command, `bot kill` for a subcommand. */
  use(as: string, command: string, options?: Record<string, OptionValue>): Promise<Outcome>;
  /** Clicks the button with this label on a message. */
  click(as: string, messageId: string, label: string): Promise<Outcome>;
  /** The texts of the bot's messages, as this person sees them. */
  /** Turns that the objects of threads have taken, each listed once however often it was sent. */
  handedOver: Set<string>;
  answers(as?: string): string[];
  /** Texts of the last model request, by role. */
  lastRequest(): string[];
}

/** One life of the object, as its world knows it. */
export interface Life {
  /** Resolves when the object's writes are durable; a real request would wait for that at the output gate. */
  settled: () => Promise<void>;
  point: Point;
  /** The fault points of calls between channels and scopes; the only ones in a world that is about its scopes. */
  callPoint: Point;
}

/** How a world differs from the default. */
export interface WorldOptions {
  faults?: FaultPlan;
  /** Replaces the local model: the answer as a function of the request. */
  answerTo?: (request: ModelRequest, model: number) => Answer;
  /** How many scripted models there are; one by default. */
  models?: number;
  config?: Partial<Config>;
  /** Variables in addition to the usual ones. */
  variables?: Readonly<Record<string, string>>;
  /** Whether there are real scopes, whose lives end as planned, and a price for what the models say. */
  scopes?: true;
  /** How many times faster than real time the time runs. */
  factor?: number;
  /** Whether no in-memory timer ever fires, so that only the alarm acts. */
  withoutTimers?: boolean;
}

/** Scopes that set no limit and take every report, with a fault point on both sides of each call. */
const countedScopes = ({ settled, callPoint }: Life, reports: TurnReport[]) =>
  openScopes({
    async report(sent) {
      await settled();
      callPoint("before a report");
      for (const report of sent) reports.push(report);
      await Promise.resolve();
      callPoint("after a report");
      return sent.map(({ turnId }) => turnId);
    },
  });

/** The channel's objects as the gateway's object reaches them. A stub that threw can't be used again. */
interface HearingBindings {
  CHANNEL: { getByName(channelId: string): { hear(heard: HeardEvent): Promise<HeardReceipt> } };
}

/** A pause of the local model that lasts until the test releases it: the longest that the model accepts. */
export const UNTIL_RELEASED = { waitMs: 3_600_000 };
/** One micro-dollar for each token. */
const PRICE = { input: 1, output: 1 };

const worlds = new Map<string, WorkerdHarness>();
let made = 0;

/** Finds the world of a channel, for the object's composition root. */
export function openWorkerdHarness(channelId: string): WorkerdHarness {
  const world = worlds.get(channelId);
  if (!world) throw new Error(`no world was made for channel ${channelId}`);
  return world;
}

/** Makes a new channel whose interactions go to `dispatch`. */
export function createWorld(
  dispatch: (request: Request) => Promise<Response>,
  options: WorldOptions = {},
): WorkerdHarness {
  const channelId = String(BigInt(PLACES.general) + BigInt(1000 + made++));
  const time = fastTime(options.factor ?? 50);
  const { discord, awaitsAnswer } = attentiveDiscord(time, dispatch);
  const door = openGatewayDoor({
    discord,
    hear: (id, heard) => (env as unknown as HearingBindings).CHANNEL.getByName(id).hear(heard),
    now: time.now,
    sleep: time.sleep,
  });
  let released = false;
  // The object polls a plain flag, because a promise that the test resolves would belong to another event's context.
  const isReleased = async (signal?: AbortSignal) => {
    while (!released) await time.sleep(100, signal);
  };
  const model = createLocalModel({
    now: time.now,
    sleep: (ms, signal) => (ms === UNTIL_RELEASED.waitMs ? isReleased(signal) : time.sleep(ms, signal)),
  });
  const effects: string[] = [];
  const media: string[] = [];
  const requests: ModelRequest[] = [];
  const modelFaults: string[] = [];
  const reports: TurnReport[] = [];
  const faults = options.faults ?? planDeaths();
  const scopes = options.scopes ? openWorldScopes(channelId, reports) : null;
  const variables = { ...(env as object), ...options.variables };
  const remote = mcpServer(listed("send"));
  remote.onCall = () => says(`sent as number ${effects.push(`count remote ${effects.length}`)}`);
  const world: WorkerdHarness = {
    channelId,
    discord,
    door,
    model,
    time,
    effects,
    media,
    release() {
      released = true;
    },
    variables,
    faults,
    requests,
    modelFaults,
    reports,
    scopes,
    handedOver: new Set(),
    overrides(life) {
      const { settled, point } = life;
      const each = async () => {
        await settled();
        point("model");
      };
      const config = parseConfig(variables);
      if (!config.ok) throw new Error(config.problems.join("; "));
      const { answerTo } = options;
      const pace = { each, rest: () => time.sleep(500) };
      const scripted = (index: number) => ({
        ...scriptedModel((request) => answerTo?.(request, index) ?? {}, { requests, faults: modelFaults }, pace, index),
        ...(scopes && { price: PRICE }),
      });
      const others = Array.from({ length: (options.models ?? 1) - 1 }, (_, index) => scripted(index + 1));
      return {
        ...(answerTo && { models: [scripted(0), ...others] as const }),
        config: { ...config.config, ...options.config },
        async submitTo(to, { trigger }) {
          await settled();
          point("before a hand-over");
          world.handedOver.add(`${trigger.interactionId} in ${to}`);
          point("after a hand-over");
          return { kind: "accepted" };
        },
        findScope: scopes ? scopes.seenFrom(life) : countedScopes(life, reports),
      };
    },
    outside({ settled, point }) {
      const fetch: Outside["fetch"] = async (url, init) => {
        await settled();
        const request = new Request(url, init);
        const { pathname } = new URL(request.url);
        const isMedia = /^\/v1\/(audio|images)\//.test(pathname);
        if (pathname.startsWith("/v1/") && !isMedia) return model.fetch(request);
        while (awaitsAnswer(pathname)) await time.sleep(100);
        const name = isMedia ? LISTENING : request.method;
        point(`before ${name}`);
        if (isMedia) media.push(pathname);
        if (pathname.includes("/images/")) effects.push(`count picture ${effects.length}`);
        const response = await (isMedia ? model : pathname === "/mcp" ? remote : discord).fetch(request);
        point(`after ${name}`);
        return response;
      };
      const server = {
        async effect(key: string) {
          await settled();
          point("before a tool's effect");
          effects.push(key);
          await Promise.resolve();
          point("after a tool's effect");
        },
        hold: isReleased,
      };
      const timers = options.withoutTimers ? { after: () => () => {} } : time.timers;
      const silent = { info() {}, warn() {}, error() {} };
      return {
        ...production,
        fetch,
        clock: time.now,
        timers,
        registry: createToolRegistry([...tools, ...testTools(server)]),
        createLog: () => silent,
        // Twenty seconds of fast time are too short on a busy machine.
        requestLimits: { requestMs: 1e9, fileMs: 1e9 },
      };
    },
    say: (as, message, file) => world.use(as, "chat", { message, ...(file && { file: { attachment: file } }) }),
    use(as, command, options = {}) {
      const [name = "", subcommand] = command.split(" ");
      const used = { name, options, ...(subcommand && { subcommand }) };
      return discord.interact({ kind: "command", channel: channelId, as, ...used });
    },
    click(as, messageId, label) {
      const shown = discord.messages(channelId, as).find((message) => message.id === messageId);
      return discord.interact({
        kind: "click",
        channel: channelId,
        as,
        messageId,
        customId: buttonId(shown?.components, label),
      });
    },
    answers: (as = MIRA) =>
      discord
        .messages(channelId, as)
        .flatMap((message) => (message.author.bot ? [withoutQuestion(message.content)] : [])),
    lastRequest() {
      const body = model.log.at(-1)?.body as { messages: { role: string; content: string | null }[] } | undefined;
      return (body?.messages ?? []).map(({ role, content }) => `${role}: ${content}`);
    },
  };
  worlds.set(channelId, world);
  return world;
}

/**
 * A local Discord, and whether it still waits for the answer to the interaction whose token is in a path. Until that answer it
 * would refuse the token. The product is patient for ten seconds, but ten seconds of fast time are too short on a busy machine.
 */
function attentiveDiscord(time: FastTime, dispatch: (request: Request) => Promise<Response>) {
  const unanswered = new Set<string>();
  const local = createLocalDiscord({
    // Discord's three seconds are half a minute here: a cold object on a busy machine takes its time.
    now: time.patient,
    signatureClock: time.now,
    async dispatch(request) {
      const { token } = await request.clone().json<{ token: string }>();
      unanswered.add(token);
      return dispatch(request);
    },
  });
  const discord: LocalDiscord = {
    ...local,
    async interact(input) {
      const outcome = await local.interact(input);
      unanswered.delete(outcome.token);
      return outcome;
    },
  };
  return { discord, awaitsAnswer: (path: string) => path.split("/").some((part) => unanswered.has(part)) };
}

/** The custom id of the button with this label, among a message's action rows. */
function buttonId(rows: unknown, label: string): string {
  const buttons = (rows as { components?: { label?: string; custom_id?: string }[] }[] | undefined) ?? [];
  const found = buttons.flatMap((row) => row.components ?? []).find((button) => button.label === label);
  return found?.custom_id ?? `no button ${label}`;
}
