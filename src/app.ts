// The Worker's routes: verify, parse, ask the channel's object, answer Discord within its three seconds. Decides nothing
// about turns. It is one of the five places that catch exceptions: every failure is logged and answered, so Discord never
// gets a bare 500.
import { Hono } from "hono/tiny";
import { accessRules } from "./config/access.ts";
import { listOffered, type ParsedConfig } from "./config.ts";
import { gatewayStatusText } from "./core/copy/gateway.ts";
import { homeText } from "./core/copy/health.ts";
import { countRefusal, type LoggedRefusals } from "./core/state/log-limit.ts";
import { answerTo, answerUnconfigured } from "./discord/answers/answer-interaction.ts";
import type { AnswerPorts } from "./discord/answers/channel-port.ts";
import { createGate, type GatePorts } from "./discord/answers/gate.ts";
import { createGatewayWatch, type GatewayWatchPorts } from "./discord/answers/gateway-watch.ts";
import { parseInteraction } from "./discord/interactions/parse.ts";
import { findSignatureFault, type SignatureFault } from "./discord/interactions/verify.ts";
import type { InspectedChannelPort } from "./inspector/reader.ts";

/** The ports of the routes. */
export interface AppPorts
  extends Pick<AnswerPorts, "channel" | "now" | "logError">,
    GatePorts,
    Pick<GatewayWatchPorts, "gatewayStatus"> {
  config: ParsedConfig;
  /** A channel's object, by its name, as the inspector reads it. */
  inspected: (channel: string) => InspectedChannelPort;
  /** Asks Discord and the models for the owner's `/health`. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Discord's interactions are a few kilobytes; a megabyte can't be one. */
const MAX_BODY_BYTES = 1_048_576;

/** Builds the Worker's application. Its routes never throw. */
export function createApp(ports: AppPorts): Hono {
  const app = new Hono();
  const { config } = ports;
  const gate = createGate(ports);
  const gateway = createGatewayWatch({ ...ports, hasGateway: config.ok && config.config.discord.hasGateway });
  const consentPorts = { ...ports, tokenKey: config.ok ? config.config.tokenKey : null };
  let logged: LoggedRefusals = {};
  /** Anyone can cause these lines, so each reason is logged at most once a minute. */
  const logRefusal = (line: string, detail: { reason?: RequestFault; problems?: string[] }) => {
    const counted = countRefusal(logged, detail.reason ?? line, ports.now());
    logged = counted.logged;
    if (counted.line) ports.logError(line, { ...detail, ...counted.line });
  };
  app.get("/", (c) => c.text(homeText(config.ok ? [] : config.problems)));
  app.get("/health", async (c) => {
    const watched = config.ok ? gateway() : null;
    const { describeHealth } = await import("./health.ts");
    const { status, body } = await describeHealth(config, c.req.raw, ports.fetch);
    return c.json(watched ? { ...body, gateway: gatewayStatusText(await watched) } : body, status);
  });
  app.post("/interactions", async (c) => {
    const problems = config.ok ? [] : config.problems;
    if (problems.length > 0) logRefusal("not configured", { problems });
    const publicKey = config.ok ? config.config.discord.publicKey : config.publicKey;
    // Discord drops the address of an endpoint that does not answer its PING, so only what makes that impossible stops us here.
    if (publicKey === null) return c.json({ error: "not configured", problems }, 500);
    const read = await verifiedBody(c.req.raw, publicKey, ports.now());
    if (!read.ok) {
      logRefusal("refused request", { reason: read.fault });
      if (read.fault === "too_large") return c.json({ error: "too large" }, 413);
      return c.json({ error: "invalid request signature" }, 401);
    }
    const parsed = parseInteraction(read.body);
    if (!parsed.ok) {
      ports.logError("unreadable interaction", { reason: parsed.reason });
      return c.json({ error: parsed.reason }, 400);
    }
    if (!config.ok) return c.json(answerUnconfigured(parsed.interaction, problems));
    const { access, discord } = config.config;
    const policy = accessRules(access, discord.apiBaseUrl, new URL(c.req.url).host);
    const facts = { ...listOffered(config.config), origin: new URL(c.req.url).origin };
    return c.json(await answerTo(parsed.interaction, { ...ports, ...facts, gate, policy, gateway }));
  });
  // Seldom used, so no cold start of a turn reads it.
  const consent = () => import("./discord/answers/consent-pages.ts");
  app.get("/oauth/start", async (c) =>
    (await consent()).answerConsent("start", new URL(c.req.url).search, consentPorts),
  );
  app.get("/oauth/callback", async (c) =>
    (await consent()).answerConsent("return", new URL(c.req.url).search, consentPorts),
  );
  app.get("/oauth/client.json", async (c) => c.json((await consent()).clientMetadata(new URL(c.req.url).origin)));
  // For the owner, who has set a token: nothing of it is in the way of a turn.
  const token = config.ok ? config.config.inspectToken : null;
  const inspect = async (request: Request) => {
    const { answerInspector, createReader } = await import("./inspector/inspector.ts");
    return answerInspector(request, { ...ports, token: token ?? "", reader: createReader(ports) });
  };
  for (const path of ["/inspect", "/inspect.json", "/inspect/*"])
    app.all(path, (c) => (token === null ? c.notFound() : inspect(c.req.raw)));
  app.onError((error, c) => {
    ports.logError("request failed", { path: c.req.path, error: error.message });
    return c.json({ error: "internal error" }, 500);
  });
  return app;
}

type RequestFault = SignatureFault | "too_large";

/** Returns the raw body of a request that Discord signed, else the reason to refuse it. */
async function verifiedBody(
  request: Request,
  publicKey: string,
  now: number,
): Promise<{ ok: true; body: Uint8Array } | { ok: false; fault: RequestFault }> {
  const signature = request.headers.get("X-Signature-Ed25519");
  const timestamp = request.headers.get("X-Signature-Timestamp");
  // Nothing of a body is read for a request that can't be Discord's.
  if (!signature || !timestamp) return { ok: false, fault: "no_signature" };
  const body = await boundedBody(request);
  if (!body) return { ok: false, fault: "too_large" };
  const fault = await findSignatureFault({ signature, timestamp, body }, publicKey, now);
  return fault === null ? { ok: true, body } : { ok: false, fault };
}

/** Reads the body; null as soon as it is larger than any interaction. */
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
