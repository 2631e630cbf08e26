// The doctor's rows about Cloudflare, the model, the network and this computer. Pure.
import { devVarsFault, FIX, rowNames, SETUP, unseen, well, wrong } from "./copy/doctor.ts";
import { failure } from "./copy/setup.ts";
import { workerUnseen } from "./diagnose-discord.ts";
import { doctorOf, type Finding, isUnseen, isWell, isWrong } from "./diagnosis.ts";
import { type DoctorFacts, isForLocalDiscord } from "./doctor-facts.ts";
import { hostOf, providerOf, shownAddress } from "./model-key.ts";
import { readWorkerUrl } from "./plan.ts";
import { cloudflareText } from "./step-context.ts";
import { findFreePlanEnd } from "./worker-probe.ts";

const LOGIN = "npx wrangler login";
/** The variable of the model's key. */
const KEY = "OPENAI_API_KEY";
const NEW_KEY = `${SETUP} -- --new-key`;
/** Wrangler's own limit. */
const OLDEST_NODE = 22;
/** The most that this computer's clock may be off: beyond that, the Worker refuses what Discord signs. */
const CLOCK_LIMIT_MS = 300_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const QUOTA = /free allocation/i;
const QUOTA_CODES = [3036, 4006];
const PAID_CODE = 5035;
/** Node's code. Any other network error is temporary, or is this computer's. */
const NO_SUCH_HOST = /\bENOTFOUND\b/;
const OF_COMMANDS = ["DISCORD_BOT_TOKEN", "DISCORD_APPLICATION_ID"];

/** Rows 15 to 27. */
export const diagnoseRest = (facts: DoctorFacts, name: string): Finding[] => [
  account(facts, name),
  subdomain(facts),
  ...model(facts),
  workersAi(facts, name),
  freePlan(facts),
  network(facts),
  computer(facts),
  devVars(facts),
  gateway(facts),
  money(facts),
];

function account({ cloudflare, application }: DoctorFacts, name: string): Finding {
  const { login, account: found, worker } = cloudflare;
  if (login.kind === "out") return isWrong(15, wrong.loggedOut, LOGIN);
  const refusal = login.kind === "failed" ? login.failure : cloudflare.failure;
  if (refusal?.kind === "login") return isWrong(15, wrong.loginFailed(refusal.text), LOGIN);
  // An error at Cloudflare does not mean that anything is wrong with the bot.
  if (refusal !== null) return isUnseen(15, cloudflareText(refusal));
  if (login.kind === "in" && found === null && login.accounts.length > 1)
    return isWrong(15, wrong.severalAccounts(login.accounts.map((one) => `${one.name} (${one.id})`)));
  const who = found?.name ?? "no account";
  if (worker !== null) return isWell(15, well.account(who));
  // Discord calls some other Worker: one with another name, one that is gone, or one in another account.
  const called = readWorkerUrl(application?.endpointUrl ?? null);
  if (called && called.subdomain !== cloudflare.subdomain) return isWrong(15, wrong.otherAccount(who), LOGIN);
  return called === null || called.name === name
    ? isWrong(15, wrong.noWorker(name), SETUP)
    : isWrong(15, wrong.otherName(name, called.name), doctorOf(called.name));
}

function subdomain({ cloudflare, url }: DoctorFacts): Finding {
  if (url !== null && !new URL(url).host.endsWith(".workers.dev")) return isUnseen(16, unseen.ownAddress);
  if (cloudflare.account === null || cloudflare.failure !== null) return isUnseen(16, unseen.needsLogin);
  if (cloudflare.subdomain === null) return isWrong(16, wrong.noSubdomain, FIX, "subdomain");
  return cloudflare.isOnWorkersDev === false ? isWrong(16, wrong.offWorkersDev) : isWell(16, well.subdomain);
}

/** Rows 17 to 20. The local key may differ from the Worker's, which the Worker itself has tried. */
function model(facts: DoctorFacts): Finding[] {
  const { health, cloudflare } = facts;
  if (hasNoModel(cloudflare))
    return [
      isWrong(17, wrong.noModelAtAll, SETUP),
      ...([18, 19, 20] as const).map((row) => isUnseen(row, unseen.comesAfter(rowNames[17]))),
    ];
  const rows = tryHere(facts);
  const refusal = health?.kind === "well" ? health.warnings?.find((line) => line.includes("model's key")) : undefined;
  if (refusal === undefined || rows[0]?.ok === false) return rows;
  return rows.map((finding) => {
    if (finding.row === 17) return isWrong(17, refusal, NEW_KEY);
    return finding.row === 18 && finding.ok ? isUnseen(18, unseen.comesAfter(rowNames[17])) : finding;
  });
}

const hasOwnModel = (names: readonly string[]): boolean => names.some((one) => one === KEY || one === "MODELS");

/** Whether the Worker has no key and can't use Workers AI either, as after its key was deleted. */
const hasNoModel = ({ worker }: DoctorFacts["cloudflare"]): boolean =>
  worker !== null && !worker.hasAi && !hasOwnModel(worker.names);

/** Tries the local key. A trial shows the first thing that is wrong; the rows after that are unseen. */
function tryHere({ model: tried, health, cloudflare }: DoctorFacts): Finding[] {
  if (!tried) {
    const names = cloudflare.worker?.names ?? (health?.kind === "well" ? health.configured : null);
    const isKeyless = names !== null && !hasOwnModel(names);
    const why = isKeyless ? unseen.keyless : unseen.needsKey;
    return ([17, 18, 19, 20] as const).map((row) => isUnseen(row, why));
  }
  const { access, trial } = tried;
  const host = hostOf(access.baseUrl);
  const rows = [
    isWell(17, well.modelKey(host)),
    isWell(18, well.credit),
    isWell(19, well.modelAddress),
    isWell(20, well.model(access.model)),
  ];
  const faultAt = (index: number, fault: Finding) => [
    ...rows.slice(0, index),
    fault,
    ...rows.slice(index + 1).map(({ row }) => isUnseen(row, unseen.comesAfter(rowNames[fault.row]))),
  ];
  const wrongAddress = (why: string, better: string | null) => [
    isUnseen(17, unseen.noAnswer(why)),
    isUnseen(18, unseen.noAnswer(why)),
    isWrong(19, wrong.modelAddress(shownAddress(access.baseUrl), better && shownAddress(better))),
    isUnseen(20, unseen.noAnswer(why)),
  ];
  switch (trial.kind) {
    case "works":
      return rows;
    case "refused": {
      const better = hostOf(providerOf(access.key).baseUrl);
      const sentence = better === host ? wrong.modelKey(KEY, host) : wrong.otherProvider(KEY, host, better);
      return faultAt(0, isWrong(17, sentence, NEW_KEY));
    }
    case "no_credit":
      return faultAt(1, isWrong(18, wrong.noCredit));
    case "wrong_address":
      return wrongAddress(host, trial.better);
    case "has_login":
      return rows.map(({ row }) =>
        row === 19 ? isWrong(row, wrong.addressHasLogin) : isUnseen(row, unseen.comesAfter(rowNames[19])),
      );
    case "no_model":
      return faultAt(3, isWrong(20, wrong.noModel(host, access.model, trial.known)));
    case "no_tools":
      return faultAt(3, isWrong(20, wrong.noTools(access.model)));
    case "busy":
      return rows.map((finding) => (finding.row === 17 ? finding : isUnseen(finding.row, unseen.busy)));
    case "no_answer":
      if (NO_SUCH_HOST.test(trial.text)) return wrongAddress(trial.text, null);
      return rows.map(({ row }) => isUnseen(row, unseen.noAnswer(trial.text || host)));
  }
}

function workersAi({ workersAi: tried, now, cloudflare }: DoctorFacts, name: string): Finding {
  const { account, worker, failure: refusal } = cloudflare;
  if (hasNoModel(cloudflare)) return isUnseen(21, unseen.comesAfter(rowNames[17]));
  if (tried === null && worker !== null) return isUnseen(21, unseen.notUsed);
  if (tried === null)
    return isUnseen(21, account === null || refusal !== null ? unseen.needsLogin : wrong.noWorker(name));
  if (tried.ok) return isWell(21, well.workersAi);
  if (QUOTA_CODES.includes(tried.code ?? 0) || QUOTA.test(tried.text)) {
    const midnight = new Date(Math.ceil((now + 1) / DAY_MS) * DAY_MS);
    const at = midnight.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    return isWrong(21, wrong.quota(at));
  }
  // A Worker does not need this permission, so the refusal says nothing about the Worker.
  if (tried.kind === "login") return isUnseen(21, unseen.workersAiLogin(tried.text));
  return isWrong(21, tried.code === PAID_CODE ? wrong.paidModel : wrong.workersAi(tried.text));
}

function freePlan(facts: DoctorFacts): Finding {
  const { health } = facts;
  const which = health === null ? null : findFreePlanEnd(health);
  if (which !== null) return isWrong(22, failure.freePlan(which));
  const hasAnswered = health?.kind === "well" || health?.kind === "problems";
  return hasAnswered ? isWell(22, well.freePlan) : isUnseen(22, workerUnseen(facts));
}

function network({ token }: DoctorFacts): Finding {
  if (token.kind === "blocked") return isWrong(23, wrong.blocked);
  const hasAnswered = token.kind === "works" || token.kind === "refused";
  return hasAnswered ? isWell(23, well.network) : isUnseen(23, unseen.needsToken);
}

function computer({ node, clockOffMs }: DoctorFacts): Finding {
  if (Number.parseInt(node, 10) < OLDEST_NODE) return isWrong(24, wrong.oldNode(node));
  if (clockOffMs !== null && Math.abs(clockOffMs) > CLOCK_LIMIT_MS)
    return isWrong(24, wrong.clock(Math.round(Math.abs(clockOffMs) / MINUTE_MS)));
  return isWell(24, clockOffMs === null ? well.computerAlone(node) : well.computer(node));
}

function devVars({ devVars: file, hasUtf16, application }: DoctorFacts): Finding {
  if (file === null) return isUnseen(25, unseen.noDevVars);
  if (isForLocalDiscord(file)) return isUnseen(25, unseen.localDiscord);
  const { DISCORD_PUBLIC_KEY: key, DISCORD_APPLICATION_ID: id } = file;
  // Setup, the doctor and `npm run register` read only these.
  const isForDev = Object.keys(file).some((name) => file[name] && !OF_COMMANDS.includes(name));
  const needed = isForDev ? ["DISCORD_PUBLIC_KEY", "DISCORD_APPLICATION_ID", KEY] : [];
  const problems = [
    ...(isForDev && hasUtf16 ? [devVarsFault.encoding] : []),
    ...needed.flatMap((name) => (file[name] || (name === KEY && file.MODELS) ? [] : [devVarsFault.missing(name)])),
    ...(application && key && key.toLowerCase() !== application.publicKey ? [devVarsFault.key] : []),
    ...(application && id && id !== application.id ? [devVarsFault.id] : []),
  ];
  if (problems.length > 0) return isWrong(25, wrong.devVars(problems));
  return isForDev ? isWell(25, well.devVars) : isUnseen(25, unseen.forCommands);
}

/** Slash commands work without the Gateway, so no other row shows that Discord refuses the connection. */
function gateway(facts: DoctorFacts): Finding {
  const { health } = facts;
  if (health?.kind !== "well") return isUnseen(26, workerUnseen(facts));
  const [, why] = /^refused: (.*)/.exec(health.gateway) ?? [];
  if (why !== undefined) return isWrong(26, wrong.gateway(why));
  if (health.gateway === "off") return isUnseen(26, unseen.gatewayOff);
  return health.gateway === "connected" ? isWell(26, well.gateway) : isUnseen(26, unseen.gatewayWaits);
}

/** The warnings of the Worker in its own words, except for the two refusals that have rows of their own. */
function money(facts: DoctorFacts): Finding {
  const { health } = facts;
  if (health?.kind !== "well") return isUnseen(27, workerUnseen(facts));
  if (health.warnings === null) return isUnseen(27, unseen.needsInspectToken);
  const lines = health.warnings.filter((line) => !/refuses (?:DISCORD_BOT_TOKEN|the model's key)/.test(line));
  // A self-hosted model may have no price, and then there is nothing to fix.
  const fixable = lines.find((line) => !/known price/.test(line));
  if (fixable !== undefined) return isWrong(27, fixable);
  return lines[0] === undefined ? isWell(27, well.money) : isUnseen(27, lines[0]);
}
