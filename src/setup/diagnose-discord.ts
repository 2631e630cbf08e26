// The doctor's rows about Discord: token, key, endpoint, commands, servers, permissions, intent, invite. Pure.
import { inviteLink } from "../discord/invite-link.ts";
import { FIX, rowNames, SETUP, unseen, well, wrong } from "./copy/doctor.ts";
import { failure } from "./copy/setup.ts";
import { doctorOf, type Finding, isUnseen, isWell, isWrong } from "./diagnosis.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import type { Application } from "./facts.ts";
import { endpointAt, readWorkerUrl, workerUrl } from "./plan.ts";
import { areCurrent, COMMAND_COUNT, countCurrent, hasMessageContent, listMissing } from "./wanted.ts";
import { findFreePlanEnd, fingerprintOf } from "./worker-probe.ts";

const PORTAL = "https://discord.com/developers/applications/select/bot";
const PUT_ID = "npx wrangler secret put DISCORD_APPLICATION_ID";
/** Discord gives up after three seconds, and the network takes part of them. */
const SLOW_MS = 2_500;

/** Rows 1 to 14. Offers fixes only for the Worker's own application: another program may be using any other one. */
export const diagnoseDiscord = (facts: DoctorFacts): Finding[] =>
  look(facts).map((one) => (one.mend === null ? one : allowed(one, facts)));

function allowed(one: Finding, { application, health, url }: DoctorFacts): Finding {
  if (health?.kind === "well")
    return health.applicationId === application?.id ? one : isUnseen(one.row, unseen.comesAfter(rowNames[3]));
  // Discord accepts only an address that trusts the application's key, so setting the endpoint is safe. For anything else, Discord must
  // already call this Worker; otherwise the person is sent to setup, which asks first.
  const isOwn = one.mend === "endpoint" || (url !== null && application?.endpointUrl === endpointAt(url));
  return isOwn ? one : isWrong(one.row, one.sentence, SETUP);
}

const look = (facts: DoctorFacts): Finding[] => [
  token(facts),
  workerToken(facts),
  key(facts),
  endpointUrl(facts),
  address(facts),
  endpoint(facts),
  commands(facts),
  screen(facts),
  server(facts),
  member(facts),
  permissions(facts),
  intent(facts),
  invite(facts),
  speed(facts),
];

function token({ token: state }: DoctorFacts): Finding {
  switch (state.kind) {
    case "works":
      return isWell(1, well.token);
    case "missing":
      return isWrong(1, wrong.noToken, PORTAL);
    case "shape":
      return isWrong(1, wrong.tokenShape(state.fault), PORTAL);
    case "refused":
      return isWrong(1, wrong.tokenRefused, PORTAL);
    case "silent":
      return isWrong(1, state.sentence);
    case "blocked":
      return isUnseen(1, wrong.blocked);
  }
}

/** Explains why nothing is known about the Worker itself. */
export const workerUnseen = ({ url }: DoctorFacts): string => (url === null ? unseen.needsWorker : unseen.workerSilent);

function workerToken(facts: DoctorFacts): Finding {
  const { health } = facts;
  if (health?.kind !== "well") return isUnseen(2, workerUnseen(facts));
  if (!health.configured.includes("DISCORD_BOT_TOKEN")) return isUnseen(2, unseen.noWorkerToken);
  if (health.warnings === null) return isUnseen(2, unseen.needsInspectToken);
  const isOld = health.warnings.some((line) => line.includes("refuses DISCORD_BOT_TOKEN"));
  return isOld ? isWrong(2, wrong.workerToken, SETUP) : isWell(2, well.workerToken);
}

function key(facts: DoctorFacts): Finding {
  const { application, health, url, cloudflare } = facts;
  if (!application) return isUnseen(3, unseen.needsToken);
  if (health?.kind !== "well") return isUnseen(3, workerUnseen(facts));
  const isTrusted = health.fingerprint === fingerprintOf(application.publicKey);
  if (isTrusted && health.applicationId === application.id) return isWell(3, well.key);
  // Setup would refuse it as another application's Worker.
  if (isTrusted) return isWrong(3, wrong.applicationId(application.id), PUT_ID);
  // The account may have a second bot, and the person may have left out --name.
  const called = health.applicationId === application.id ? null : readWorkerUrl(application.endpointUrl);
  return called?.subdomain === cloudflare.subdomain && workerUrl(called.name, called.subdomain) !== url
    ? isWrong(3, wrong.otherBot(called.name), doctorOf(called.name))
    : isWrong(3, wrong.key, SETUP);
}

function endpointUrl({ application, url }: DoctorFacts): Finding {
  if (!application) return isUnseen(4, unseen.needsToken);
  if (application.endpointUrl !== null) return isWell(4, well.endpoint);
  return isWrong(4, wrong.noEndpoint, url === null ? SETUP : FIX, url === null ? null : "endpoint");
}

function address({ application, url }: DoctorFacts): Finding {
  if (!application) return isUnseen(5, unseen.needsToken);
  if (application.endpointUrl === null) return isUnseen(5, wrong.noEndpoint);
  if (url === null) return isUnseen(5, unseen.needsWorker);
  if (application.endpointUrl === endpointAt(url)) return isWell(5, well.address);
  return isWrong(5, wrong.otherEndpoint(application.endpointUrl, endpointAt(url)), FIX, "endpoint");
}

function endpoint({ url, health, endpoint: answer, cloudflare }: DoctorFacts): Finding {
  if (url === null || answer === null) return isUnseen(6, unseen.needsWorker);
  if (answer.status === 401) return isWell(6, well.answers);
  // In this case Cloudflare answers instead of the Worker, and no deploy changes that.
  const isOff = cloudflare.isOnWorkersDev === false && readWorkerUrl(endpointAt(url)) !== null;
  if (isOff) return isUnseen(6, wrong.offWorkersDev);
  const which = health && findFreePlanEnd(health);
  if (which) return isUnseen(6, failure.freePlan(which));
  if (answer.status === null) return isWrong(6, wrong.workerSilent(url));
  if (answer.status === 404) return isWrong(6, wrong.endpointMissing(url), SETUP);
  if (health?.kind === "problems")
    return isWrong(6, wrong.workerProblems(health.problems), "npx wrangler secret put NAME");
  return isWrong(6, wrong.endpointStatus(answer.status), SETUP);
}

function commands({ application, commands: registered }: DoctorFacts): Finding {
  if (!application) return isUnseen(7, unseen.needsToken);
  if (registered === null) return isUnseen(7, unseen.noReply);
  if (areCurrent(registered)) return isWell(7, well.commands(COMMAND_COUNT));
  return isWrong(7, wrong.commands(countCurrent(registered), COMMAND_COUNT), FIX, "commands");
}

/** If all is well and a person still sees no commands, the cause can only be their client or a server's admin. */
function screen({ application, commands: registered, servers }: DoctorFacts): Finding {
  if (!application) return isUnseen(8, unseen.needsToken);
  if (registered === null || servers === null) return isUnseen(8, unseen.noReply);
  // A server has the bot's commands even if the bot is not a member there.
  if (servers.length === 0 && application.serverCount === 0) return isUnseen(8, outside(application));
  if (!areCurrent(registered)) return isUnseen(8, wrong.commands(countCurrent(registered), COMMAND_COUNT));
  return isWell(8, well.screen);
}

function server({ application, servers }: DoctorFacts): Finding {
  if (!application) return isUnseen(9, unseen.needsToken);
  if (servers === null) return isUnseen(9, unseen.noReply);
  if (servers.length > 0) return isWell(9, well.servers(servers.map(({ name }) => name)));
  // If the bot has servers only for commands, the next row says what to do.
  return application.serverCount > 0 ? isUnseen(9, outside(application)) : isWrong(9, outside(application));
}

/** Explains why the bot is not a member of any server. */
const outside = ({ id, serverCount }: Application): string =>
  (serverCount > 0 ? wrong.commandsOnly : wrong.noServer)(inviteLink(id));

function member({ application, servers }: DoctorFacts): Finding {
  if (!application) return isUnseen(10, unseen.needsToken);
  if (servers === null) return isUnseen(10, unseen.noReply);
  if (servers.length > 0) return isWell(10, well.member);
  return application.serverCount > 0 ? isWrong(10, outside(application)) : isUnseen(10, outside(application));
}

function permissions({ application, servers, channel }: DoctorFacts): Finding {
  if (!application) return isUnseen(11, unseen.needsToken);
  if (servers === null) return isUnseen(11, unseen.noReply);
  if (channel && !channel.isSeen) return isWrong(11, wrong.channel(channel.id));
  const faulty = servers.find((one) => listMissing(one.permissions).length > 0);
  if (!faulty) return servers.length > 0 ? isWell(11, well.permissions) : isUnseen(11, outside(application));
  return isWrong(11, wrong.permissions(faulty.name, listMissing(faulty.permissions)), inviteLink(application.id));
}

function intent({ application }: DoctorFacts): Finding {
  if (!application) return isUnseen(12, unseen.needsToken);
  return hasMessageContent(application.flags) ? isWell(12, well.intent) : isWrong(12, wrong.intent, FIX, "intent");
}

function invite({ application }: DoctorFacts): Finding {
  if (!application) return isUnseen(13, unseen.needsToken);
  if (application.needsCodeGrant) return isWrong(13, wrong.codeGrant, PORTAL);
  return isWell(13, application.isPublic ? well.invite : well.inviteByOwner(application.ownerName));
}

function speed(facts: DoctorFacts): Finding {
  const { endpoint: answer } = facts;
  if (answer === null || answer.status === null) return isUnseen(14, workerUnseen(facts));
  return answer.ms > SLOW_MS
    ? isWrong(14, wrong.slow(answer.ms), "npx wrangler tail")
    : isWell(14, well.quick(answer.ms));
}
