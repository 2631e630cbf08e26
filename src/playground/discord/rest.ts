// The entry point of Discord's REST API: every request is logged, its User-Agent, token and schema are checked, and only then it reaches a
// route. `weather` and rate limits may answer before that.

import { gatewayRoutes } from "../gateway/routes.ts";
import { accountRoutes } from "./account-routes.ts";
import { applicationRoutes } from "./application-settings.ts";
import { readBody } from "./body.ts";
import { count, tooMany } from "./buckets.ts";
import { botRoutes } from "./channel-routes.ts";
import { channelWebhookRoutes } from "./channel-webhooks.ts";
import { deedRoutes } from "./deed-routes.ts";
import { type Answer, errorCode, invalidForm, refuse } from "./errors.ts";
import { broken } from "./forecast.ts";
import { guildRoutes } from "./guild-routes.ts";
import { type Call, findRoute, type Route } from "./routes.ts";
import type { Payload } from "./rules.ts";
import { schemaFaults } from "./schemas.ts";
import { isAnswer } from "./tokens.ts";
import { webhookRoutes } from "./webhook-routes.ts";
import type { LogEntry, World } from "./world.ts";

const ROUTES: readonly Route[] = [
  ...accountRoutes,
  ...applicationRoutes,
  ...webhookRoutes,
  ...botRoutes,
  ...channelWebhookRoutes,
  ...deedRoutes,
  ...guildRoutes,
  ...gatewayRoutes,
];
const BASE = "/api/v10";
const LOG_LIMIT = 10_000;
/** The codes of refusals that are the sender's fault and not a matter of timing: 401 without a token, and everything malformed. */
const FAULTS_OF_THE_SENDER = new Set([0, 40005, 40333, 50006, 50035, 50109]);

/**
 * May answer a request instead of Discord: rate limits, outages, filters. Null lets it through. With `lose the answer` the request takes
 * effect, but its answer never arrives.
 */
export type Weather = (request: Readonly<LogEntry>) => Storm | Promise<Storm>;
type Storm = Response | "lose the answer" | null;

/** Answers one REST request. Never rejects because of what a client sent. */
export async function answerRest(world: World, weather: Iterable<Weather>, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.startsWith(`${BASE}/`) ? url.pathname.slice(BASE.length) : "";
  const found = findRoute(ROUTES, request.method, path);
  const body = await readBody(request);
  const entry: LogEntry = {
    at: world.now(),
    method: request.method,
    route: typeof found === "string" ? "unknown" : found.route.pattern,
    path: `${path}${url.search}`,
    status: 0,
    code: null,
    body: isAnswer(body) ? null : body.payload,
    files: isAnswer(body) ? [] : body.files.map(({ filename }) => filename),
  };
  world.log.push(entry);
  if (world.log.length > LOG_LIMIT) world.log.shift();
  let isHeard = true;
  for (const rule of weather) {
    const instead = await rule(entry);
    if (instead === "lose the answer") isHeard = false;
    if (!(instead instanceof Response)) continue;
    entry.code = errorCode({ status: instead.status, body: await readJson(instead) });
    return logged(world, entry, instead);
  }
  const counted = count(world, entry.method, entry.route, entry.path);
  if (counted && counted.retryAfter !== null)
    return logged(world, entry, tooMany(counted.retryAfter, "user", counted.headers));
  const decided = isAnswer(body) ? body : decide(world, request, found, { ...body, query: url.searchParams });
  const answer = decided instanceof Promise ? await decided : decided;
  entry.code = errorCode(answer);
  if (entry.code !== null && FAULTS_OF_THE_SENDER.has(entry.code))
    world.violations.push({ at: entry.at, where: `${entry.method} ${entry.path}`, refusal: answer, body: entry.body });
  const json = answer.body === undefined ? null : JSON.stringify(answer.body);
  const headers = { ...counted?.headers, ...(json === null ? {} : { "content-type": "application/json" }) };
  const response = logged(world, entry, new Response(json, { status: answer.status, headers }));
  return isHeard ? response : broken();
}

function decide(
  world: World,
  request: Request,
  found: ReturnType<typeof findRoute>,
  { payload, files, query }: { payload: unknown; files: Call["files"]; query: URLSearchParams },
): Answer | Promise<Answer> {
  if (!request.headers.get("user-agent")?.startsWith("DiscordBot (")) return refuse("badUserAgent");
  if (found === "path") return refuse("notFound");
  if (found === "method") return refuse("methodNotAllowed");
  const { route, params } = found;
  if (route.auth === "bot" && request.headers.get("authorization") !== `Bot ${world.botToken}`)
    return refuse("unauthorized");
  const faults = route.body ? schemaFaults(route.body, payload) : [];
  if (faults.length > 0) return invalidForm(faults);
  return route.run(world, { params, query, files, payload: payload as Payload });
}

function logged(world: World, entry: LogEntry, response: Response): Response {
  entry.status = response.status;
  world.changed();
  return response;
}

const readJson = (response: Response): Promise<unknown> =>
  response
    .clone()
    .json()
    .catch(() => undefined);
