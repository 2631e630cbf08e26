// Harness of the e2e and slow lanes: everything around a product that runs as a process (see product.ts). A local Discord, a
// local model and a receiver of tool effects, on one loopback port in the test's own process, so that they survive every death of
// the runtime. Acts as people do and reads what they see; starts no process.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import type { Outcome } from "../../src/playground/discord/acts.ts";
import { createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import type { LocalMessage } from "../../src/playground/discord/view.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { createLocalModel, type LocalModel } from "../../src/playground/model/model.ts";
import { serve } from "../../src/playground/serve.ts";
import { createHolds, type Holds } from "./e2e-holds.ts";
import { type GatewayServer, serveGateway } from "./gateway-socket.ts";
import { ROOT } from "./product.ts";
import { openButtons, withoutQuestion } from "./shown-answer.ts";

/** Mira moderates, Theo does not. */
export const { mira: MIRA, theo: THEO } = PEOPLE;

/** The world around one product. */
export interface E2eWorld {
  url: string;
  /** The application in `.dev.vars.example`. */
  applicationId: string;
  discord: LocalDiscord;
  /** The sockets of its Gateway. */
  gateway: GatewayServer;
  model: LocalModel;
  /** The paths of requests to the endpoints that listen and draw, in order. */
  media: string[];
  /** Keys of the tool effects that arrived, in order. */
  effects: string[];
  /** Names of the events that channels with the test's tools have received from the gateway, in order. */
  heard: string[];
  hold: Holds["hold"];
  /** The text of a `.dev.vars` made from the example that points here. */
  devVars: string;
  /** Sets the product's address; interactions go there from now on. */
  connect(productUrl: string): void;
  close(): Promise<void>;
}

/** One channel of the world, as a test uses it. */
export interface E2eChannel {
  id: string;
  /** Uses `/chat`. */
  say(as: string, message: string): Promise<Outcome>;
  /** Uses another command, `bot kill` for a subcommand. */
  use(as: string, command: string): Promise<Outcome>;
  /** Clicks Stop on the message that has it. */
  clickStop(as: string): Promise<Outcome>;
  /** Clicks the button with this label, which must already be there. */
  click(as: string, label: string): Promise<Outcome>;
  /** The bot's public messages, oldest first. */
  messages(): LocalMessage[];
  /** The texts of these messages. */
  answers(): string[];
  /** Waits until there are this many answers and none is unfinished. Returns them. */
  settled(count: number, timeout?: number): Promise<string[]>;
}

/** How long a test waits for something that must happen; a busy machine is slow. */
const PATIENCE_MS = 120_000;
/** How long the local Discord waits for a first answer: a runtime that has just started may need more than three seconds. */
export const PATIENT = { firstAnswerMs: PATIENCE_MS };
const POLL_MS = 10;
const UNFINISHED = /^-# (Waiting|Using|Resumed|Still working)/m;

/** `.dev.vars.example` with the address of its local services replaced. */
export function exampleVars(url: string): string {
  const example = readFileSync(join(ROOT, ".dev.vars.example"), "utf8");
  return example.replaceAll("http://127.0.0.1:8788", url);
}

/** Waits until the condition is true. Fails with the name of what it was waiting for. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeout = PATIENCE_MS,
): Promise<void> {
  await vi.waitUntil(condition, { interval: POLL_MS, timeout }).catch(() => {
    throw new Error(`never came: ${what}`);
  });
}

/** Makes the world. Start the product afterwards, because it needs the address. */
export async function createE2eWorld(): Promise<E2eWorld> {
  let productUrl = "";
  const media: string[] = [];
  const effects: string[] = [];
  const heard: string[] = [];
  const holds = createHolds();
  const applicationId = /^DISCORD_APPLICATION_ID=(\d+)$/m.exec(exampleVars(""))?.[1] ?? "";
  const model = createLocalModel({
    now: Date.now,
    sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  });
  const handler = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (/^\/v1\/(audio|images)\//.test(pathname)) media.push(pathname);
    if (pathname.startsWith("/v1/")) return model.fetch(request);
    if (!pathname.startsWith("/tool/")) return discord.fetch(request);
    if (pathname === "/tool/heard") heard.push(await request.text());
    if (pathname === "/tool/effect") effects.push(await request.text());
    return new Response(null, { status: 204 });
  };
  const [served, gateway] = await Promise.all([serve(holds.over(handler)), serveGateway()]);
  const discord = createLocalDiscord({
    now: Date.now,
    applicationId,
    cdnUrl: served.url,
    gatewayUrl: gateway.url,
    options: PATIENT,
    dispatch: async ({ headers, body }) =>
      fetch(`${productUrl}/interactions`, { method: "POST", headers, body: await new Response(body).text() }),
  });
  gateway.connect(discord.gateway);
  return {
    url: served.url,
    applicationId,
    discord,
    gateway,
    model,
    media,
    effects,
    heard,
    hold: holds.hold,
    devVars: exampleVars(served.url),
    connect: (url) => {
      productUrl = url;
    },
    close: async () => void (await Promise.all([served.close(), gateway.close()])),
  };
}

let channels = 0;

/** A channel of the first server that nobody has used yet. */
export function newChannel(world: E2eWorld): E2eChannel {
  return channelAt(world, String(BigInt(PLACES.general) + BigInt(1000 + channels++)));
}

/** The channel with this id, as `reader` sees it: a direct message, or a place in another server. */
export function channelAt({ discord }: E2eWorld, id: string, reader: string = MIRA): E2eChannel {
  const messages = () => discord.messages(id, reader).filter(({ author, ephemeral }) => author.bot && !ephemeral);
  const answers = () => messages().map(({ content }) => withoutQuestion(content));
  const isOver = ({ content, components, loading, failed }: LocalMessage) =>
    failed !== undefined ||
    (content !== "" && openButtons(components).length === 0 && !loading && !UNFINISHED.test(content));
  const click = (as: string, label: string) => {
    for (const message of messages()) {
      const rows = message.components as { components: { label: string; custom_id: string }[] }[];
      const button = rows.flatMap(({ components }) => components).find((one) => one.label === label);
      if (!button) continue;
      return discord.interact({ kind: "click", channel: id, as, messageId: message.id, customId: button.custom_id });
    }
    throw new Error(`no button says ${label}`);
  };
  return {
    id,
    messages,
    answers,
    say: (as, message) => discord.interact({ kind: "command", channel: id, as, name: "chat", options: { message } }),
    use(as, command) {
      const [name = "", subcommand] = command.split(" ");
      return discord.interact({ kind: "command", channel: id, as, name, ...(subcommand && { subcommand }) });
    },
    clickStop: (as) => click(as, "Stop"),
    click,
    async settled(count, timeout = PATIENCE_MS) {
      const isSettled = () => messages().length === count && messages().every(isOver);
      await until(`${count} finished answers`, isSettled, timeout).catch((error: Error) => {
        throw new Error(`${error.message}; there is ${JSON.stringify(messages(), null, 1)}`);
      });
      return answers();
    },
  };
}

/** The messages of the last model request as `role: text`, without the system prompt. */
export function requestTexts({ model }: E2eWorld): string[] {
  const body = model.log.at(-1)?.body as { messages: { role: string; content: string | null }[] } | undefined;
  return (body?.messages ?? []).slice(1).map(({ role, content }) => `${role}: ${content}`);
}
