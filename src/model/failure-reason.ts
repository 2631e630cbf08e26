// Decides why a provider refused a request, from its status, its code and its words: a status alone means different things at different
// providers. Pure.
import type { ModelFailureReason } from "../core/state/ending.ts";
import type { ProviderFacts } from "./provider-error.ts";

interface Rule {
  reason: ModelFailureReason;
  statuses?: readonly number[];
  /** Codes that are plain numbers, which only the provider's own list explains. */
  codes?: readonly string[];
  words?: RegExp;
}

/**
 * The first rule that matches decides. Codes: Workers AI 3036, 3040, 3041 and 5018 (a model of another account), 4006, 5007, 5021, 5028 (a model
 * that was removed) and 5035 (a model that needs Workers Paid, with the status of a wrong key); AI Gateway's guardrails 2016 and 2017; z.ai 1113,
 * 1211, 1261, 1301 to 1303, 1305 and 1308 to 1310. OpenAI's sentence about an exceeded quota is not a rule: Gemini uses the same one for a limit
 * per minute, and names a limit per day in the id of the quota.
 */
const RULES: readonly Rule[] = [
  {
    reason: "no_credit",
    statuses: [402],
    codes: ["3036", "4006", "5035", "1113", "1308", "1309", "1310"],
    words:
      /insufficient[_ ](?:(?:user_)?quota|balance|credit|funds)|quota is not enough|额度|CreditsError|(?:balance|credits) \w+ (?:insufficient|depleted)|not[_ ]enough[_ ](?:balance|credit)|credit[_ ]balance|spend(?:ing)?[_ ]limit|blocked_api_access|exceeded_current_quota|arrearage|overdue|billing[_ ](?:hard[_ ]limit|not[_ ]active)|key limit exceeded|(?:out of|any|enough|more|included) credits|free (?:allocation|tier)|usage[_ ]?limit|PerDayPer|models-per-day|per (?:day|month)(?: request)? limit|monthly limit|limit: 0\b|spending cap|credit card|budget.{0,10} exceeded|exceededbudget/i,
  },
  {
    reason: "no_tools",
    words:
      /support (?:tools|(?:tool|function) (?:use|call))|enable-auto-tool-choice|(?:tools?|(?:tool|function) (?:use|call(?:ing)?))\W? (?:is|are) not (?:supported|enabled)|--jinja|(?:unsupported|support) param[\w()]*\W{1,5}tools\b(?![.[])/i,
  },
  {
    reason: "bad_call",
    words: /tool_use_failed|output_parse_failed|failed to (?:call a function|parse input)|error parsing tool call/i,
  },
  {
    reason: "context_too_long",
    statuses: [413],
    codes: ["5021", "1261"],
    words:
      /context[_ ]?(?:length|window|size|limit|shift)|maximum (?:context|(?:prompt|model) length)|(?:prompt|input) (?:is )?too long|(?:input|prompt) token count|input tokens exceed|max_seq_len|max message tokens|model token limit|tokens_limit_reached|range of input length|max_new_tokens|less than \d+ tokens|request too large|reduce the length|string too long|exceeds (?:the )?max(?:imum allowed)?(?: input)? length|exceed model maximum|max input token|more than max tokens/i,
  },
  {
    reason: "content_blocked",
    codes: ["1301", "2016", "2017"],
    words:
      /content[_ ]?(?:filter|policy|management)|usage guidelines|sensitive[_ ]?(?:words|content)|new_sensitive|moderation|data_inspection_failed|responsible\s?ai|prohibited_content|safety system|flagged|inappropriate content|content exists risk/i,
  },
  // An address that redirects elsewhere; or Cloudflare, in front of a server that it can't reach. For a Worker, the latter includes a name that
  // can't be resolved.
  { reason: "unreachable", statuses: [301, 302, 303, 307, 308, 521, 522, 523, 525, 526, 530] },
  // Neither the key nor a temporary fault: the owner can fix nothing there, and waiting does not help. 1ddd: Cloudflare, in front of a provider
  // (1015: its rate limit).
  {
    reason: "refused",
    words:
      /unsupported_country|country, region|location is not supported|data policy|network settings|error code: 1(?!015)\d{3}|image input|jinja (?:exception|template)/i,
  },
  {
    reason: "no_model",
    statuses: [404, 405],
    codes: ["3041", "5007", "5018", "5028", "1211"],
    words:
      /model[_ ](?:not[_ ](?:found|available|exist|supported)|does not exist|decommissioned)|model names are|no models loaded|on-demand throughput|end of life|only supported in v1\/responses|no such model|not found the model|(?:unknown|invalid)[_ ]model|not a valid model|no endpoints found|deploymentnotfound|model \S{1,100} (?:does not exist|not found)/i,
  },
  {
    reason: "auth",
    statuses: [401, 403],
    words:
      /invalid_api_key|api_key_invalid|(?:incorrect|invalid) api key|api key (?:not valid|expired)|unauthorized|authentication_error|login fail|organization has been (?:disabled|restricted)/i,
  },
  // A provider without capacity may answer 429, which would look as if we had asked too often.
  {
    reason: "overloaded",
    codes: ["3040", "1305"],
    words:
      /overloaded|(?:at|over|out of|exceeded) capacity|capacity (?:temporarily )?exceeded|high (?:demand|traffic)|loading model|model is loading|model (?:unloaded|has crashed)|degraded function/i,
  },
  {
    reason: "rate_limited",
    statuses: [429],
    codes: ["1302", "1303"],
    words: /rate[_ ]limit|too many requests|resource_exhausted|throttling/i,
  },
  { reason: "overloaded", statuses: [408, 498, 499] },
];

/** What an error within a stream says in place of a status: with its code or, as OpenAI and gateways to Anthropic do, with its type. */
const FAULTS = /^(?:server_error|api_error|internal|unavailable|service_unavailable|timeout)/i;

/** Returns the reason for a refusal. `bad_stream`: an error within a stream that matches no rule. */
export function decideReason(facts: ProviderFacts): ModelFailureReason {
  const { code, words, isPage } = facts;
  if (facts.isModerated) return "content_blocked";
  // A page that comes as a success: the address is not that of a model.
  if (isPage && facts.status === undefined) return "no_model";
  // A page that refuses comes from a proxy, which knows nothing about keys.
  if (isPage && facts.status === 403) return "refused";
  // An error within a stream that began with 200 has no status, only a code, which some servers write as a number.
  const status = facts.status ?? statusFrom(code);
  // Providers that limit by tokens also say "too many tokens".
  if (status !== 429 && /too many tokens/i.test(words)) return "context_too_long";
  const rule = RULES.find(
    (one) =>
      (status !== undefined && one.statuses?.includes(status)) ||
      (code !== undefined && one.codes?.includes(code)) ||
      one.words?.test(words),
  );
  if (rule) return rule.reason;
  if (status === undefined) return FAULTS.test(words.trimStart()) ? "overloaded" : "bad_stream";
  return status >= 500 ? "overloaded" : "refused";
}

const statusFrom = (code: string | undefined): number | undefined =>
  code !== undefined && /^[45]\d\d$/.test(code) ? Number(code) : undefined;
