// The endpoint for Discord's interactions: verifies, parses, asks the channel's object, and answers Discord within its three seconds. Decides
// nothing about turns. Together with the other routes it is one of the five places that catch exceptions: every failure is logged and answered,
// so Discord never gets a bare 500.
import { accessRules } from "./config/access.ts";
import { isForgeable } from "./config/public-key.ts";
import { listOffered, type ParsedConfig } from "./config.ts";
import { collectBytes } from "./core/bytes.ts";
import { countRefusal, type LoggedRefusals } from "./core/decisions/log-limit.ts";
import { answerTo, answerUnconfigured } from "./discord/answers/answer-interaction.ts";
import type { AnswerPorts } from "./discord/answers/channel-port.ts";
import { createGate, type GatePorts } from "./discord/answers/gate.ts";
import { createGatewayWatch, type GatewayWatchPorts } from "./discord/answers/gateway-watch.ts";
import { parseInteraction } from "./discord/interactions/parse.ts";
import { findSignatureFault, type SignatureFault } from "./discord/interactions/verify.ts";

/** The ports of the endpoint. */
export interface EndpointPorts
  extends Pick<AnswerPorts, "channel" | "now" | "logError">,
    GatePorts,
    Pick<GatewayWatchPorts, "gatewayStatus"> {
  config: ParsedConfig;
}

/** Where Discord sends its interactions, by POST. */
export const ENDPOINT = "/interactions";

/** Discord's interactions have a few kilobytes; a body of a megabyte can't be one. */
const MAX_BODY_BYTES = 1_048_576;

/** Answers a request to the endpoint. Never rejects. */
export type Endpoint = (request: Request) => Promise<Response>;

/** Builds the endpoint. */
export function createEndpoint(ports: EndpointPorts): Endpoint {
  const { config } = ports;
  const gate = createGate(ports);
  const gateway = watchGateway(ports);
  let logged: LoggedRefusals = {};
  /** Anyone can cause these lines, so each reason is logged at most once a minute. */
  const logRefusal = (line: string, detail: { reason?: RequestFault; problems?: string[] }) => {
    const counted = countRefusal(logged, detail.reason ?? line, ports.now());
    logged = counted.logged;
    if (counted.line) ports.logError(line, { ...detail, ...counted.line });
  };
  const answer = async (request: Request): Promise<Response> => {
    const problems = config.ok ? [] : config.problems;
    if (problems.length > 0) logRefusal("not configured", { problems });
    const publicKey = config.ok ? config.config.discord.publicKey : config.publicKey;
    // Discord removes the address of an endpoint that does not answer its PING, so we give up here only if that is impossible.
    if (publicKey === null) return Response.json({ error: "not configured", problems }, { status: 500 });
    const read = await verifiedBody(request, publicKey, ports.now());
    if (!read.ok) {
      logRefusal("refused request", { reason: read.fault });
      if (read.fault === "too_large") return Response.json({ error: "too large" }, { status: 413 });
      return Response.json({ error: "invalid request signature" }, { status: 401 });
    }
    const parsed = parseInteraction(read.body);
    if (!parsed.ok) {
      ports.logError("unreadable interaction", { reason: parsed.reason });
      return Response.json({ error: parsed.reason }, { status: 400 });
    }
    if (!config.ok) return Response.json(answerUnconfigured(parsed.interaction, problems));
    const { access, discord, publicUrl } = config.config;
    const policy = accessRules(access, discord.apiBaseUrl, new URL(request.url).host);
    const facts = { ...listOffered(config.config), origin: publicUrl ?? new URL(request.url).origin };
    return Response.json(await answerTo(parsed.interaction, { ...ports, ...facts, gate, policy, gateway }));
  };
  return (request) =>
    answer(request).catch((error: unknown) => {
      ports.logError("request failed", {
        path: ENDPOINT,
        error: error instanceof Error ? error.message : String(error),
      });
      return Response.json({ error: "internal error" }, { status: 500 });
    });
}

/** Creates what the endpoint and `/health` ask for the gateway's status. */
export const watchGateway = (ports: EndpointPorts) =>
  createGatewayWatch({ ...ports, hasGateway: ports.config.ok && ports.config.config.discord.hasGateway });

/** `cut_off`: the connection broke before the body was complete. */
type RequestFault = SignatureFault | "too_large" | "cut_off";

/** Returns the raw body of a request that Discord signed, else the reason to refuse it. */
async function verifiedBody(
  request: Request,
  publicKey: string,
  now: number,
): Promise<{ ok: true; body: Uint8Array } | { ok: false; fault: RequestFault }> {
  const signature = request.headers.get("X-Signature-Ed25519");
  const timestamp = request.headers.get("X-Signature-Timestamp");
  // The body of a request that can't be Discord's is never read. A signature that anyone could make counts as missing.
  if (!signature || !timestamp || isForgeable(publicKey, request.url)) return { ok: false, fault: "no_signature" };
  const body = await boundedBody(request).catch(() => undefined);
  if (!body) return { ok: false, fault: body === null ? "too_large" : "cut_off" };
  const fault = await findSignatureFault({ signature, timestamp, body }, publicKey, now);
  return fault === null ? { ok: true, body } : { ok: false, fault };
}

/** Reads the body; null as soon as it is larger than any interaction. */
async function boundedBody(request: Request): Promise<Uint8Array | null> {
  const announced = request.headers.get("Content-Length");
  if (Number(announced ?? 0) > MAX_BODY_BYTES) return null;
  // Discord announces the length, and HTTP allows no more than that, so the runtime may read the body in one go.
  if (announced !== null) {
    const whole = new Uint8Array(await request.arrayBuffer());
    return whole.byteLength > MAX_BODY_BYTES ? null : whole;
  }
  const { add, first } = collectBytes();
  for await (const chunk of request.body ?? []) if (add(chunk) > MAX_BODY_BYTES) return null;
  return first();
}
