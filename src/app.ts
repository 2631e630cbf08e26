// The Worker's routes: verify, parse, ask the channel's object, answer Discord within its three seconds. Decides nothing about
// turns. One of the five places that catch: whatever fails here is logged and answered, never a bare 500 for Discord.
import { Hono } from "hono";
import { type Config, type ParsedConfig, VERSION } from "./config.ts";
import { QUESTION_CODE_POINTS } from "./core/limits.ts";
import type { Receipt, StopAnswer, StopRequest, Submission } from "./core/messages.ts";
import { refusalText, say, stopText } from "./core/outcome.ts";
import { codePoints } from "./core/split.ts";
import type { ComponentPress } from "./discord/components.ts";
import { type Actor, type Interaction, parseInteraction } from "./discord/interaction.ts";
import { acknowledged, noChoices, pong, privately, thinking } from "./discord/respond.ts";
import { isFromDiscord } from "./discord/verify.ts";

/** One channel's object, as the Worker sees it. A method may reject when the object can't be reached. */
export interface ChannelPort {
  submit(submission: Submission): Promise<Receipt>;
  stop(request: StopRequest): Promise<StopAnswer>;
}

/** What the routes need. */
export interface AppPorts {
  config: ParsedConfig;
  channel: (channelId: string) => ChannelPort;
  now: () => number;
  logError: (line: string, detail: Record<string, unknown>) => void;
}

/** Discord's interactions are a few kilobytes; a megabyte is no interaction. */
const MAX_BODY_BYTES = 1_048_576;

/** The Worker's application. */
export function createApp(ports: AppPorts): Hono {
  const app = new Hono();
  const { config } = ports;
  app.get("/health", (c) => {
    if (!config.ok) return c.json({ ok: false, version: VERSION, problems: config.problems }, 500);
    return c.json({ ok: true, version: VERSION });
  });
  app.post("/interactions", async (c) => {
    if (!config.ok) return c.json({ error: "not configured", problems: config.problems }, 500);
    const body = await verifiedBody(c.req.raw, config.config, ports.now());
    if (typeof body === "number")
      return c.json({ error: body === 413 ? "too large" : "invalid request signature" }, body);
    const parsed = parseInteraction(body);
    if (!parsed.ok) {
      ports.logError("unreadable interaction", { reason: parsed.reason });
      return c.json({ error: parsed.reason }, 400);
    }
    return c.json(await answerTo(parsed.interaction, ports));
  });
  app.onError((error, c) => {
    ports.logError("request failed", { path: c.req.path, error: error.message });
    return c.json({ error: "internal error" }, 500);
  });
  return app;
}

/** The raw body of a request that Discord signed, else the status that refuses it. */
async function verifiedBody(request: Request, config: Config, now: number): Promise<Uint8Array | 401 | 413> {
  const signature = request.headers.get("X-Signature-Ed25519");
  const timestamp = request.headers.get("X-Signature-Timestamp");
  if (!signature || !timestamp) return 401;
  const body = await boundedBody(request);
  if (!body) return 413;
  return (await isFromDiscord({ signature, timestamp, body }, config.discord.publicKey, now)) ? body : 401;
}

/** The body's bytes, or null as soon as it is known to be larger than any interaction. */
async function boundedBody(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > MAX_BODY_BYTES) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

async function answerTo(interaction: Interaction, ports: AppPorts): Promise<object> {
  switch (interaction.kind) {
    case "ping":
      return pong();
    case "chat":
      return answerChat(interaction.actor, interaction.message, ports);
    case "press":
      return answerPress(interaction.actor, interaction.press, ports);
    case "unknown":
      if (interaction.what === "autocomplete") return noChoices();
      return privately(interaction.what === "command" ? say.unknownCommand(interaction.name) : say.unknownComponent);
  }
}

async function answerChat(actor: Actor, message: string, ports: AppPorts): Promise<object> {
  const text = message.trim();
  if (text === "") return privately(say.emptyMessage);
  if (codePoints(text) > QUESTION_CODE_POINTS) return privately(say.messageTooLong(QUESTION_CODE_POINTS));
  const trigger = { ...actor, text, receivedAt: ports.now() };
  const receipt = await reach(ports, "submit", () => ports.channel(actor.channelId).submit({ trigger }));
  if (!receipt) return privately(refusalText({ reason: "unavailable" }));
  return receipt.kind === "accepted" ? thinking() : privately(refusalText(receipt.refusal));
}

/** By one who may: the press is acknowledged and the object tells the outcome; by anybody else: a sentence at once. */
async function answerPress(actor: Actor, press: ComponentPress, ports: AppPorts): Promise<object> {
  const request: StopRequest = {
    interactionId: actor.interactionId,
    kind: "stop",
    turnId: press.turnId,
    userId: actor.userId,
    userName: actor.userName,
    moderator: actor.moderator,
    reply: { applicationId: actor.applicationId, token: actor.token },
  };
  const answer = await reach(ports, "stop", () => ports.channel(actor.channelId).stop(request));
  if (!answer) return privately(refusalText({ reason: "unavailable" }));
  return answer.result === "not_allowed" ? privately(stopText(answer)) : acknowledged();
}

async function reach<Answer>(ports: AppPorts, method: string, call: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await call();
  } catch (error) {
    ports.logError("channel object unreachable", {
      method,
      error: error instanceof Error ? error.message : String(error),
    });
    return null;
  }
}
