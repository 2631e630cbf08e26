// The questions about the bot itself: its model, strangers, the daily limit, mentions. A question is asked only if neither the Worker nor
// the environment has the answer.
import { answerFault, done, failure, question, warning } from "./copy/setup.ts";
import type { Facts, ModelChoice, Setting } from "./facts.ts";
import { hostOf, isPrivate, providerOf, shownAddress, type Trial, trimKey, tryModel } from "./model-key.ts";
import {
  CANCELLED,
  failed,
  learned,
  oldWorker,
  type StepContext,
  type StepEnd,
  workersAiModel,
} from "./step-context.ts";
import { trimToken } from "./token-shape.ts";

const DEFAULT_DOLLARS = 5;
const MOST_DOLLARS = 1_000_000;
/** The name of the model that needs no key, as people read it. */
const WORKERS_AI = "Workers AI";

const has = (facts: Facts, name: string): boolean => oldWorker(facts)?.names.includes(name) === true;

/** Finds the model: the Worker's, that of a key in the environment or a pasted key, or Workers AI. A key is tried before it is accepted. */
export async function askModel(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, flags, variables } = context;
  const given = trimKey(variables.OPENAI_API_KEY ?? "");
  const hasKey = has(facts, "OPENAI_API_KEY");
  const hasModels = has(facts, "MODELS");
  // The models of MODELS would be asked first, and those without an address of their own would use the new key's, with their own keys.
  if (flags.newKey && hasModels) return failed(failure.modelsStay);
  if (hasModels || (!flags.newKey && !(flags.yes && given) && (hasKey || oldWorker(facts)?.hasAi))) {
    terminal.done(done.modelKept);
    return learned({ model: { kind: "kept" } });
  }
  if (given) {
    context.keepSecret(given);
    const host = hostOf(baseUrlOf(context, given));
    const isWanted = terminal.canAsk ? await terminal.askYesNo(question.useKey(host), true) : true;
    if (isWanted === null) return CANCELLED;
    const end = isWanted ? await checkKey(context, given, terminal.canAsk) : null;
    // If a wrong key ended the run, the next one would ask for the bot's token again, and Discord shows that only once.
    if (end !== null && (!end.ok || end.facts.model !== null)) return end;
  }
  if (!terminal.canAsk) return workersAi(context);
  // The clipboard may still contain the bot's token, which no provider may receive.
  const pasted = await terminal.askSecret(question.modelKey, (text) =>
    trimToken(text) === facts.token ? answerFault.tokenAsKey : null,
  );
  if (pasted === null) return CANCELLED;
  const key = trimKey(pasted);
  if (key === "") return workersAi(context);
  context.keepSecret(key);
  return checkKey(context, key, true);
}

function workersAi({ terminal, variables }: StepContext): StepEnd {
  const model = workersAiModel(variables);
  if (variables.OPENAI_BASE_URL) terminal.warn(warning.addressUnused);
  terminal.done(done.model(model === undefined ? WORKERS_AI : `${model} of ${WORKERS_AI}`));
  return learned({ model: { kind: "workers_ai" } });
}

const baseUrlOf = ({ variables }: StepContext, key: string): string =>
  (variables.OPENAI_BASE_URL ?? providerOf(key).baseUrl).replace(/\/+$/, "");

/** Tries the key. If it is wrong, the person is asked again; if it can't be tried now, the person is warned. */
async function checkKey(context: StepContext, key: string, mayAskAgain: boolean): Promise<StepEnd> {
  const { variables, terminal } = context;
  const provider = providerOf(key);
  const baseUrl = baseUrlOf(context, key);
  const model = variables.OPENAI_MODEL ?? provider.model;
  const host = hostOf(baseUrl);
  // The Worker can't reach a private address that this computer can, except in a rehearsal with a local Discord or Cloudflare.
  const others = [variables.DISCORD_API_BASE_URL, variables.CLOUDFLARE_API_BASE_URL];
  if (isPrivate(baseUrl) && !others.some((url) => isPrivate(url ?? ""))) return failed(failure.privateModel(host));
  const trial = await tryModel(context.send, { key, baseUrl, model });
  const fault = describeTrial(trial, { host, model, baseUrl });
  if (fault !== null && !mayAskAgain) return failed(fault);
  if (fault !== null) {
    terminal.fail(fault);
    return learned({ model: null });
  }
  if (trial.kind === "no_answer") terminal.warn(warning.keyUnchecked(host));
  if (trial.kind === "busy") terminal.warn(warning.busy(host));
  terminal.done(done.model(`${model} at ${host}`));
  const choice: ModelChoice = { kind: "key", key, baseUrl, model };
  return learned({ model: choice });
}

/** Returns what is wrong. Null: the model works, or nothing is known to be wrong. */
function describeTrial(
  trial: Trial,
  { host, model, baseUrl }: { host: string; model: string; baseUrl: string },
): string | null {
  switch (trial.kind) {
    case "refused":
      return failure.keyRefused(host);
    case "no_credit":
      return failure.noCredit(host);
    case "no_model":
      return failure.noModel(host, model, trial.known);
    case "no_tools":
      return failure.noTools(model);
    case "wrong_address":
      return failure.wrongAddress(shownAddress(baseUrl), trial.better && shownAddress(trial.better));
    case "has_login":
      return failure.addressHasLogin;
    case "works":
    case "busy":
    case "no_answer":
      return null;
  }
}

const KEPT = { kind: "kept" } as const;
const fresh = <Value>(value: Value): Setting<Value> => ({ kind: "new", value });

/** Whether the Worker already has one of these. If so, warns the person that a value in the environment has no effect. */
function keeps({ terminal, variables }: StepContext, facts: Facts, given: string, names: readonly string[]): boolean {
  const found = names.filter((name) => has(facts, name));
  if (found.length > 0 && variables[given]) terminal.warn(warning.notTaken(given, found));
  return found.length > 0;
}

/** Asks whether strangers may use the bot. */
export const askStrangers = (context: StepContext, facts: Facts): Promise<StepEnd> =>
  askYesNo(context, facts, {
    variable: "STRANGERS",
    keptBy: ["SERVERS", "VISITORS"],
    words: "yes or no",
    asked: question.strangers,
    toFacts: (strangers) => ({ strangers }),
  });

/** Asks for the most that a day may cost, in US dollars. A limit that the Worker already has stays. */
export async function askLimit(context: StepContext, facts: Facts): Promise<StepEnd> {
  const { terminal, variables } = context;
  if (keeps(context, facts, "MAX_USD_PER_DAY", ["MAX_USD_PER_DAY"])) return learned({ dollarsPerDay: KEPT });
  const given = variables.MAX_USD_PER_DAY;
  const fault = (text: string) => (readDollars(text) === null ? answerFault.dollars : null);
  if (given && fault(given) !== null) return failed(`MAX_USD_PER_DAY: ${answerFault.dollars}`);
  if (given) return learned({ dollarsPerDay: fresh(readDollars(given) ?? DEFAULT_DOLLARS) });
  if (!terminal.canAsk) return learned({ dollarsPerDay: fresh(DEFAULT_DOLLARS) });
  const answer = await terminal.askText(question.dollars, String(DEFAULT_DOLLARS), fault);
  return answer === null ? CANCELLED : learned({ dollarsPerDay: fresh(readDollars(answer) ?? DEFAULT_DOLLARS) });
}

function readDollars(text: string): number | null {
  const amount = Number(text.trim().replace(/^\$\s*/, "") || Number.NaN);
  return amount >= 0 && amount <= MOST_DOLLARS ? amount : null;
}

/** Asks whether the bot also answers mentions. */
export const askGateway = (context: StepContext, facts: Facts): Promise<StepEnd> =>
  askYesNo(context, facts, {
    variable: "DISCORD_GATEWAY",
    keptBy: ["DISCORD_GATEWAY"],
    words: "on or off",
    asked: question.gateway,
    toFacts: (gateway) => ({ gateway }),
  });

/** A yes-or-no question: the variable that can answer it, the accepted words, and the secrets that mean the Worker already has the answer. */
interface YesNo {
  variable: string;
  keptBy: readonly string[];
  words: string;
  asked: string;
  toFacts: (setting: Setting<boolean>) => Partial<Facts>;
}

/** Asks the question, unless the Worker already has the answer. If nobody can answer, the answer is no. */
async function askYesNo(context: StepContext, facts: Facts, of: YesNo): Promise<StepEnd> {
  const { terminal, variables } = context;
  const { variable, keptBy, words, asked, toFacts } = of;
  if (keeps(context, facts, variable, keptBy)) return learned(toFacts(KEPT));
  const given = readYes(variables[variable]);
  if (given === null) return failed(failure.notOneOf(variable, words));
  const answer = given ?? (terminal.canAsk ? await terminal.askYesNo(asked, false) : false);
  return answer === null ? CANCELLED : learned(toFacts(fresh(answer)));
}

/** Reads yes or no. Null: neither. Undefined: not set. */
function readYes(text: string | undefined): boolean | null | undefined {
  const word = text?.trim();
  if (!word) return undefined;
  if (/^(?:yes|y|on|true|1|anyone|open)$/i.test(word)) return true;
  return /^(?:no|n|off|false|0|owners|claimed)$/i.test(word) ? false : null;
}
