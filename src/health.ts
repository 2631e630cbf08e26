// Builds what a deployed Worker says about itself at `/health`: facts for programs, and a little more for its owner, who knows INSPECT_TOKEN. It
// shows no secret, and no part of one.
import { accessRules } from "./config/access.ts";
import { findUnreadFields } from "./config/unread-fields.ts";
import { type Config, type ModelConfig, type ParsedConfig, VERSION } from "./config.ts";
import { hexOf } from "./core/bytes.ts";
import { healthWarnings } from "./core/copy/health.ts";
import { userAgent } from "./discord/rest/user-agent.ts";
import { createRequestTo } from "./model/endpoint.ts";

/** Sends a request, as the runtime's `fetch` does. */
type Send = (url: string, init: RequestInit) => Promise<Response>;

/** How long an owner's `/health` may wait for Discord and the models. */
const PROBE_LIMIT_MS = 3000;

/** What `/health` needs. */
interface HealthPorts {
  config: ParsedConfig;
  /** The variables as they were written. */
  variables: unknown;
  /** Used only for the owner. */
  fetch: Send;
}

/** Builds the answer to `GET /health`. `isOwner` must not reject. May run twice; never rejects. */
export async function describeHealth(
  { config: parsed, variables, fetch }: HealthPorts,
  request: Request,
  isOwner: (token: string) => Promise<boolean>,
): Promise<{ status: 200 | 500; body: object }> {
  if (!parsed.ok) return { status: 500, body: { ok: false, version: VERSION, problems: parsed.problems } };
  const { config } = parsed;
  const facts = {
    ok: true,
    version: VERSION,
    applicationId: config.discord.applicationId,
    publicKeyFingerprint: await fingerprint(config.discord.publicKey),
    configured: config.configured,
  };
  const token = request.headers.has("Authorization") ? config.inspectToken : null;
  if (token === null || !(await isOwner(token))) return { status: 200, body: facts };
  const modelHosts = [...new Set(config.models.map(({ baseUrl }) => new URL(baseUrl).host))];
  const warnings = [...warn(config, variables, new URL(request.url).host), ...(await probe(config, fetch))];
  return { status: 200, body: { ...facts, modelHosts, warnings } };
}

/** Returns the first 8 hexadecimal digits of the SHA-256 of a public key, which is given as hexadecimal text. */
async function fingerprint(publicKey: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(publicKey.toLowerCase()));
  return hexOf(bytes).slice(0, 8);
}

function warn(config: Config, variables: unknown, host: string): string[] {
  const { servers, visitors, allowedUsers } = accessRules(config.access, config.discord.apiBaseUrl, host);
  const open = [servers === "open" && "SERVERS=open", visitors === "anyone" && "VISITORS=anyone"];
  const opened = open.filter(Boolean).join(" ");
  const hasLimit = config.money.microUsdPerDay + config.money.microUsdPerMonth > 0;
  const unpriced = config.models.flatMap(({ price, model }) => (price ? [] : [model]));
  const unread = findUnreadFields(variables);
  const ids = config.models.map(({ id }) => id);
  const sameIds = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
  const warnings = [
    opened && !hasLimit && healthWarnings.openWithoutLimit(opened),
    hasLimit && unpriced.length > 0 && healthWarnings.unpricedModels(unpriced),
    unread.length > 0 && healthWarnings.unreadFields(unread),
    allowedUsers[0] && visitors !== "listed" && healthWarnings.unusedUsers,
    sameIds.length > 0 && healthWarnings.sameIds(sameIds),
    !/^\d+$/.test(config.discord.applicationId) && healthWarnings.noApplicationId,
    config.access.ownerIds === null && config.discord.botToken === null && healthWarnings.noOwner,
  ];
  return warnings.filter((line): line is string => Boolean(line));
}

/** Asks Discord and each model's server whether they still accept the Worker's token and keys. Only a clear refusal becomes a warning. */
async function probe({ discord, models }: Config, send: Send): Promise<string[]> {
  const warnIfRefused = async (url: string, given: RequestInit["headers"], warning: string) => {
    const headers = new Headers(given);
    headers.set("User-Agent", userAgent(VERSION));
    const signal = AbortSignal.timeout(PROBE_LIMIT_MS);
    // A redirect would carry the key to another server.
    const response = await send(url, { headers, redirect: "manual", signal }).catch(() => null);
    void response?.body?.cancel().catch(() => {});
    return response?.status === 401 ? [warning] : [];
  };
  // A model without `apiKey` may have its key in another header, and an address with a query has no list of models at a path below it.
  const isPlain = ({ provider, apiKey, baseUrl }: ModelConfig) =>
    provider === undefined && apiKey !== "" && !baseUrl.includes("?");
  const keys = new Map(models.filter(isPlain).map((model) => [`${model.baseUrl} ${model.apiKey}`, model]));
  const found = await Promise.all([
    discord.botToken === null
      ? []
      : warnIfRefused(
          `${discord.apiBaseUrl}/users/@me`,
          { Authorization: `Bot ${discord.botToken}` },
          healthWarnings.tokenRefused,
        ),
    ...[...keys.values()].map((model) => {
      // With the headers for a gateway in front of the model, and the key where the provider reads it.
      const [url, { headers }] = createRequestTo(model, "models", "");
      return warnIfRefused(url, headers, healthWarnings.keyRefused(new URL(url).host));
    }),
  ]);
  return found.flat();
}
