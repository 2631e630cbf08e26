// /privacy: deletes what is kept about a person in this channel and in the others of its scope, after a click that confirms it.
import { scopeName } from "../../core/access/scope-copy.ts";
import type { ForgottenElsewhere } from "../../core/access/scope-rpc.ts";
import { type ForgetReach, forgetQuestion, forgottenText } from "../../core/copy/privacy.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { conversationName } from "../../core/state/private-turns.ts";
import type { Forgotten } from "../../core/state/rpc.ts";
import { buildButtonRows, clickTarget } from "../components.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, reach } from "./channel-port.ts";
import { personOf } from "./gate.ts";

const reachOf = (actor: Actor): ForgetReach => (personOf(actor).isServerInstall ? "server" : "outside");

/** Asks for a click. Only the person sees the button. */
export function askToForget(actor: Actor): object {
  const { type, data } = privately(forgetQuestion(reachOf(actor)));
  return {
    type,
    data: { ...data, components: buildButtonRows(["forget"], clickTarget(actor.userId, actor.broughtBy)) },
  };
}

/** Forgets the person who clicked: first here, then wherever else their scope knows of. A second click finds nothing. */
export async function forget(actor: Actor, ports: AnswerPorts): Promise<object> {
  const forgetHere = (place: Pick<Actor, "channelId" | "broughtBy">) =>
    reach(place, ports, "forgetPerson", (channel) => channel.forgetPerson(actor.userId));
  // An earlier program kept a visitor's words in the channel's object.
  const [forgotten, before] = await Promise.all([
    forgetHere(actor),
    actor.broughtBy === null ? null : forgetHere({ ...actor, broughtBy: null }),
  ]);
  if (!forgotten || (actor.broughtBy !== null && !before)) return privately(UNAVAILABLE);
  return privately(forgottenText(together(forgotten, before), await forgetElsewhere(actor, ports), reachOf(actor)));
}

const together = (one: Forgotten, other: Forgotten | null): Forgotten => ({
  messages: one.messages + (other?.messages ?? 0),
  memories: one.memories + (other?.memories ?? 0),
  reminders: one.reminders + (other?.reminders ?? 0),
});

/** Null: the scope can't be reached. */
async function forgetElsewhere(actor: Actor, { access, logError }: AnswerPorts): Promise<ForgottenElsewhere | null> {
  const scope = scopeName(reachOf(actor) === "server" ? actor.guildId : null);
  try {
    return await access.scope(scope).forgetPerson(actor.userId, conversationName(actor));
  } catch (error) {
    logError("a scope can't be reached", { scope, error: String(error) });
    return null;
  }
}
