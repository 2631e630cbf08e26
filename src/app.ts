// The Worker's routes: verify, parse, ask the channel's object, answer Discord within its three seconds. Decides nothing about
// turns. One of the five places that catch: whatever fails here is logged and answered, never a bare 500 for Discord.
import { Hono } from "hono";
import { type Config, type ParsedConfig, VERSION } from "./config.ts";
import { overLimit } from "./core/attachments.ts";
import { QUESTION_CODE_POINTS } from "./core/limits.ts";
import type { Receipt, StatusReport, StopAnswer, StopRequest, Submission } from "./core/messages.ts";
import { refusalText, say, statusText, stopText } from "./core/outcome.ts";
import { codePoints } from "./core/split.ts";
import type { ComponentPress } from "./discord/components.ts";
import { type Actor, type Interaction, parseInteraction } from "./discord/interaction.ts";
import { acknowledged, noChoices, pong, privately, thinking } from "./discord/respond.ts";
import { isFromDiscord } from "./discord/verify.ts";

/** One channel's object, as the Worker sees it. A method may reject when the object can't be reached. */
export interface ChannelPort {
  submit(submission: Submission): Promise<Receipt>;
  stop(request: StopRequest): Promise<StopAnswer>;
  status(): Promise<StatusReport>;
  reset(): Promise<number>;
  settings(): Promise<Record<string, string>>;
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
      return answerChat(interaction, ports);
    case "press":
      return answerPress(interaction.actor, interaction.press, ports);
    case "stop": {
      const answer = await askToStop(interaction.actor, { kind: interaction.how, turnId: null }, ports);
      return privately(answer ? stopText(answer) : UNAVAILABLE);
    }
    case "status": {
      const report = await reach(ports, "status", () => ports.channel(interaction.actor.channelId).status());
      return privately(report ? statusText(report) : UNAVAILABLE);
    }
    case "reset":
      return answerReset(interaction.actor, ports);
    case "unknown":
      if (interaction.what === "autocomplete") return noChoices();
      return privately(interaction.what === "command" ? say.unknownCommand(interaction.name) : say.unknownComponent);
  }
}

async function answerChat(chat: Extract<Interaction, { kind: "chat" }>, ports: AppPorts): Promise<object> {
  const { actor, message, attachments, fileLimit } = chat;
  const text = message.trim();
  if (text === "") return privately(say.emptyMessage);
  if (codePoints(text) > QUESTION_CODE_POINTS) return privately(say.messageTooLong(QUESTION_CODE_POINTS));
  const tooLarge = overLimit(attachments, fileLimit);
  if (tooLarge) return privately(say.fileTooLarge(tooLarge.filename, fileLimit));
  const { parentChannelId, ...asker } = actor;
  const receipt = await reach(ports, "submit", async () => {
    const files = attachments.length > 0 ? { attachments } : {};
    const trigger = { ...asker, text, receivedAt: ports.now(), ...files };
    return ports.channel(actor.channelId).submit({ trigger, ...(await inherited(parentChannelId, ports)) });
  });
  if (!receipt) return privately(UNAVAILABLE);
  return receipt.kind === "accepted" ? thinking() : privately(refusalText(receipt.refusal));
}

/** By one who may: the press is acknowledged and the object tells the outcome; by anybody else: a sentence at once. */
async function answerPress(actor: Actor, { turnId }: ComponentPress, ports: AppPorts): Promise<object> {
  const reply = { applicationId: actor.applicationId, token: actor.token };
  const answer = await askToStop(actor, { kind: "stop", turnId, reply }, ports);
  if (!answer) return privately(UNAVAILABLE);
  return answer.result === "not_allowed" ? privately(stopText(answer)) : acknowledged();
}

function askToStop(
  actor: Actor,
  wanted: Pick<StopRequest, "kind" | "turnId" | "reply">,
  ports: AppPorts,
): Promise<StopAnswer | null> {
  const { interactionId, userId, userName, moderator } = actor;
  return reach(ports, "stop", async () => {
    const parent = await inherited(actor.parentChannelId, ports);
    return ports.channel(actor.channelId).stop({ interactionId, userId, userName, moderator, ...wanted, ...parent });
  });
}

async function answerReset(actor: Actor, ports: AppPorts): Promise<object> {
  if (!actor.moderator) return privately(say.resetByModeratorsOnly);
  const forgotten = await reach(ports, "reset", () => ports.channel(actor.channelId).reset());
  return privately(forgotten === null ? UNAVAILABLE : say.reset(forgotten));
}

/** What a thread takes over from the channel that it belongs to. */
async function inherited(
  parentChannelId: string | null,
  ports: AppPorts,
): Promise<{ parentSettings?: Record<string, string> }> {
  return parentChannelId ? { parentSettings: await ports.channel(parentChannelId).settings() } : {};
}

const UNAVAILABLE = refusalText({ reason: "unavailable" });

/** Lives of the object that may end under one question before the person is told; each costs milliseconds of Discord's 3 s. */
const MAX_TRIES = 3;

/**
 * Asks the object, and again if its life ended under the question: every method of the port may run twice, because an
 * interaction that was admitted or answered before is answered the same way again.
 */
async function reach<Answer>(ports: AppPorts, method: string, call: () => Promise<Answer>): Promise<Answer | null> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
    try {
      return await call();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      ports.logError("channel object unreachable", { method, attempt, error: message });
    }
  }
  return null;
}
