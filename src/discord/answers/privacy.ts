// /privacy: shows, exports and deletes what is kept about a person in this channel and in the others of its scope, and notes whether they want to
// be left out of what is overheard.
import { EXPORT_BUSY, forgetQuestion, forgottenText, keptText, leftOutText } from "../../core/copy/privacy.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { conversationName } from "../../core/state/private-turns.ts";
import type { Forgotten } from "../../core/state/rpc.ts";
import { buildButtonRows, clickTarget } from "../components.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately, thinkingPrivately } from "../interactions/respond.ts";
import { type AnswerPorts, reach } from "./channel-port.ts";
import { reachOf, reachScope, readAnew, scopeOf } from "./reach-scope.ts";

/** Shows what is kept, where it goes and for how long. */
export async function showKept(actor: Actor, ports: AnswerPorts): Promise<object> {
  const { userId } = actor;
  const [here, scope] = await Promise.all([
    reach(actor, ports, "aboutPerson", (channel) => channel.aboutPerson(userId)),
    reachScope(scopeOf(actor), ports, (port) =>
      port.person({ op: "about", userId, conversation: conversationName(actor) }),
    ),
  ]);
  if (!here) return privately(UNAVAILABLE);
  const facts = { reach: reachOf(actor), modelHosts: ports.modelHosts };
  return privately(keptText(here, scope?.op === "about" ? scope : null, facts));
}

/** Asks the scope to collect a file, which replaces the private "thinking"; or says that too many are under way. */
export async function exportKept(actor: Actor, ports: AnswerPorts): Promise<object> {
  const { userId, applicationId, token } = actor;
  const conversation = conversationName(actor);
  const answer = await reachScope(scopeOf(actor), ports, (port) =>
    port.person({ op: "export", userId, conversation, reply: { applicationId, token } }),
  );
  if (!answer) return privately(UNAVAILABLE);
  return answer.op === "busy" ? privately(EXPORT_BUSY) : thinkingPrivately();
}

/** Leaves the person out of what is overheard, or includes them again. May run twice. */
export async function leaveOut(actor: Actor, ports: AnswerPorts, isLeftOut: boolean): Promise<object> {
  const { userId } = actor;
  const answer = await reachScope(scopeOf(actor), ports, (port) => port.person({ op: "leave_out", userId, isLeftOut }));
  if (answer?.op !== "left_out" && answer?.op !== "full") return privately(UNAVAILABLE);
  await readAnew(actor, ports);
  return privately(leftOutText(answer, reachOf(actor)));
}

/** Asks for a click to confirm. Only the person sees the button. */
export function askToForget(actor: Actor): object {
  const { type, data } = privately(forgetQuestion(reachOf(actor)));
  return {
    type,
    data: { ...data, components: buildButtonRows(["forget"], clickTarget(actor.userId, actor.broughtBy)) },
  };
}

/** Forgets the person who clicked: first here, then everywhere else that their scope knows of. A second click finds nothing. */
export async function forget(actor: Actor, ports: AnswerPorts): Promise<object> {
  const { userId } = actor;
  const forgetHere = (place: Pick<Actor, "channelId" | "broughtBy">) =>
    reach(place, ports, "forgetPerson", (channel) => channel.forgetPerson(userId));
  // An earlier program kept a visitor's words in the channel's object.
  const [forgotten, before] = await Promise.all([
    forgetHere(actor),
    actor.broughtBy === null ? undefined : forgetHere({ ...actor, broughtBy: null }),
  ]);
  if (!forgotten || (actor.broughtBy !== null && !before)) return privately(UNAVAILABLE);
  const elsewhere = await reachScope(scopeOf(actor), ports, (scope) =>
    scope.forgetPerson(userId, conversationName(actor)),
  );
  return privately(forgottenText(together(forgotten, before), elsewhere, reachOf(actor)));
}

const together = (one: Forgotten, other: Forgotten | undefined): Forgotten => ({
  messages: one.messages + (other?.messages ?? 0),
  memories: one.memories + (other?.memories ?? 0),
  reminders: one.reminders + (other?.reminders ?? 0),
});
