// Recognizes a model key's provider by its shape, and tries the key there, so that a wrong key is noticed as soon as it is pasted. Never
// prints the key.
import { isHttp } from "../config/addresses.ts";
import { OPENAI } from "../config/defaults.ts";
import { lostReason } from "../discord/rest/lost-reason.ts";
import { createRequestTo } from "../model/endpoint.ts";
import { decideReason } from "../model/failure-reason.ts";
import { parseJson, readFields, readList, readText } from "../model/json-fields.ts";
import { learnQuirk } from "../model/learn-quirk.ts";
import { type ProviderFacts, readFacts } from "../model/provider-error.ts";
import { findQuirks, type Quirks } from "../model/quirks.ts";
import { requestBody } from "../model/request-body.ts";
import { isPublicHost } from "../tools/web/public-url.ts";
import type { Send } from "./ports.ts";

/** A provider that a key belongs to. */
export interface Provider {
  baseUrl: string;
  /** A cheap model of this provider that can call tools. */
  model: string;
}

const GEMINI: Provider = {
  baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
  model: "gemini-3.5-flash-lite",
};
/** The providers, by the beginning of their keys. */
const PROVIDERS: readonly (readonly [prefix: string, provider: Provider])[] = [
  ["sk-or-", { baseUrl: "https://openrouter.ai/api/v1", model: "openai/gpt-5.4-mini" }],
  ["sk-", { ...OPENAI, model: OPENAI.successor }],
  ["gsk_", { baseUrl: "https://api.groq.com/openai/v1", model: "openai/gpt-oss-120b" }],
  // Google's new keys, and those from before May 2026.
  ["AQ.", GEMINI],
  ["AIza", GEMINI],
  ["xai-", { baseUrl: "https://api.x.ai/v1", model: "grok-4.3" }],
];

/** Removes what people copy along with a key: spaces, quotes, the word Bearer. */
export const trimKey = (text: string): string =>
  text
    .trim()
    .replace(/^["'`]|["'`]$/g, "")
    .replace(/^Bearer\s+/i, "")
    .trim();

/** Returns the provider whose keys look like this, or else OpenAI. */
export const providerOf = (key: string): Provider =>
  PROVIDERS.find(([prefix]) => key.startsWith(prefix))?.[1] ?? OPENAI;

/** Returns the host of an address. A text that is not an address is returned without its secrets. */
export const hostOf = (baseUrl: string): string => URL.parse(baseUrl)?.host || shownAddress(baseUrl);

/** Removes from an address what may be secret: a user name and password, and the keys in its query. */
export const shownAddress = (address: string): string =>
  address
    .replace(/^((?:https?:)?[\\/]*)[^\\/?#]*@/i, "$1")
    .replace(/([?&][^=&]*(?:auth|key|token|secret)[^=&]*=)[^&#]*/gi, "$1…");

/** Whether only this computer or its network can reach the address. False for a text that is not an address. */
export function isPrivate(baseUrl: string): boolean {
  const { hostname = "" } = URL.parse(baseUrl) ?? {};
  return hostname !== "" && !isPublicHost(hostname);
}

/** An address, a key and the name of a model. */
export interface ModelAccess {
  key: string;
  baseUrl: string;
  model: string;
}

/** What a trial of a model showed. `no_answer` doesn't mean that the key is wrong. */
export type Trial =
  | { kind: "works" }
  | { kind: "refused" }
  | { kind: "no_credit" }
  | { kind: "no_model"; known: readonly string[] }
  | { kind: "no_tools" }
  | { kind: "wrong_address"; better: string | null }
  /** The address contains a user name or password, which no request can carry. */
  | { kind: "has_login" }
  | { kind: "busy" }
  | { kind: "no_answer"; text: string };

const MOST_NAMES = 5;
/** A few tokens and one tool: the smallest request that tests everything. */
const QUESTION = {
  system: "",
  messages: [{ role: "user" as const, text: "Hi" }],
  tools: [{ name: "noop", description: "Does nothing.", parameters: { type: "object", properties: {} } }],
};

/** Asks a short question as the Worker would, but without streaming. May run twice; costs next to nothing. */
export async function tryModel(send: Send, access: ModelAccess): Promise<Trial> {
  if (!isHttp(access.baseUrl))
    return /^https?:.*@/i.test(access.baseUrl) ? { kind: "has_login" } : { kind: "wrong_address", better: null };
  // A header can't contain any other character, such as a dash or an ellipsis that an editor has inserted.
  if (/[^\x21-\x7e]/.test(access.key)) return { kind: "refused" };
  let quirks: Quirks = { ...findQuirks(access.baseUrl, access.model), noStream: true };
  const ask = () => {
    const body = requestBody(access.model, QUESTION, { maxOutputTokens: 16, quirks });
    return request(send, access, "chat/completions", body);
  };
  let reply = await ask();
  while (typeof reply !== "string" && reply.status >= 400) {
    const learned = learnQuirk(quirks, reply.facts, false);
    if (learned?.noTools) return { kind: "no_tools" };
    if (!learned) break;
    quirks = learned;
    reply = await ask();
  }
  if (typeof reply === "string") return { kind: "no_answer", text: reply };
  const better = redirectedTo(reply, access);
  const wrongAddress = async (): Promise<Trial> => ({
    kind: "wrong_address",
    better: better ?? (await findAddress(send, access)),
  });
  if (reply.status < 400) return reply.isJson ? { kind: "works" } : wrongAddress();
  if (reply.status >= 500) return { kind: "no_answer", text: `status ${reply.status}` };
  const { words } = reply.facts;
  const reason = decideReason(reply.facts);
  // A page from a proxy: the address and the key may still be right.
  if (!reply.isJson && [403, 408, 429].includes(reply.status))
    return { kind: "no_answer", text: `status ${reply.status}` };
  if (!reply.isJson && ![401, 402].includes(reply.status)) return wrongAddress();
  // A reasoning model may not produce a word within so few tokens, and OpenAI reports that as an error.
  if (/output limit was reached/i.test(words)) return { kind: "works" };
  // This means that nothing is at the address, not that the model is missing.
  if (reason === "no_model" && !/model/i.test(words)) return wrongAddress();
  switch (reason) {
    case "auth":
      return { kind: "refused" };
    case "no_credit":
      return { kind: reason };
    case "no_model":
      return { kind: "no_model", known: await listModels(send, access) };
    case "rate_limited":
      return { kind: "busy" };
    default:
      return /\btools?\b/i.test(words) ? { kind: "no_tools" } : { kind: "no_answer", text: `status ${reply.status}` };
  }
}

/** The end of a request's address. People copy it along from providers' examples. */
const OF_REQUESTS = /\/chat\/completions$/;

/** Returns the address that was meant, if the server redirects the same request within its host, for example from http to https. */
function redirectedTo({ location }: Reply, { baseUrl }: ModelAccess): string | null {
  const from = new URL(createRequestTo({ apiKey: "", baseUrl }, "chat/completions", "")[0]);
  const to = location === null ? null : URL.parse(location, from.href);
  if (to?.hostname !== from.hostname || to.href === from.href || !OF_REQUESTS.test(to.pathname)) return null;
  to.pathname = to.pathname.replace(OF_REQUESTS, "");
  return isHttp(to.href) ? to.href.replace(/\/$/, "") : null;
}

/**
 * Returns the address without a copied request path, or otherwise with `/v1` added or removed, if a model's server seems to answer there.
 */
async function findAddress(send: Send, access: ModelAccess): Promise<string | null> {
  const [path = "", ...query] = access.baseUrl.split("?");
  const base = path.replace(OF_REQUESTS, "");
  const better = base === path ? (path.endsWith("/v1") ? path.slice(0, -3) : `${path}/v1`) : base;
  const other = [better, ...query].join("?");
  const reply = await request(send, { ...access, baseUrl: other }, "models", null);
  return typeof reply !== "string" && reply.isJson && reply.status !== 404 ? other : null;
}

async function listModels(send: Send, access: ModelAccess): Promise<string[]> {
  const reply = await request(send, access, "models", null);
  const models = typeof reply === "string" ? null : readFields(parseJson(reply.text))?.data;
  return readList(models)
    .flatMap((one) => readText(readFields(one)?.id) ?? [])
    .slice(0, MOST_NAMES);
}

/** A provider's answer. `facts`: what a refusal says. */
interface Reply {
  status: number;
  text: string;
  isJson: boolean;
  /** Where the server redirects the request. */
  location: string | null;
  facts: ProviderFacts;
}

/** Sends a request. A string says why no answer came. */
async function request(
  send: Send,
  { key, baseUrl }: ModelAccess,
  path: string,
  body: object | null,
): Promise<Reply | string> {
  const [url, init] = createRequestTo({ apiKey: key, baseUrl }, path, JSON.stringify(body));
  // Following a redirect would send the key to another server. The Worker does not follow redirects either.
  const sent = send(url, { ...(body === null ? { headers: init.headers ?? {} } : init), redirect: "manual" });
  const answer = await sent.then(async (response) => ({ response, text: await response.text() })).catch(lostReason);
  if (typeof answer === "string") return answer;
  const { response, text } = answer;
  // Whatever a redirect's body says, it is not a model's answer.
  const location = response.headers.get("location");
  const isJson = location === null && /^\s*[[{]/.test(text);
  return { status: response.status, text, isJson, location, facts: readFacts(text, response) };
}
