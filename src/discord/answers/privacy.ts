// /privacy: deletes what is kept about a person in this channel and in the others of its scope, after a click that confirms it.
import { scopeName } from "../../core/access/scope-copy.ts";
import type { ForgottenElsewhere } from "../../core/access/scope-rpc.ts";
import { type ForgetReach, forgetQuestion, forgottenText } from "../../core/copy/privacy.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { buildButtonRows } from "../components.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, reach } from "./channel-port.ts";
import { personOf } from "./gate.ts";

const reachOf = (actor: Actor): ForgetReach => (personOf(actor).isServerInstall ? "server" : "outside");

/** Asks for a click. Only the person sees the button. */
export function askToForget(actor: Actor): object {
  const { type, data } = privately(forgetQuestion(reachOf(actor)));
  return { type, data: { ...data, components: buildButtonRows(["forget"], actor.userId) } };
}

/** Forgets the person who clicked: first here, then wherever else their scope knows of. A second click finds nothing. */
export async function forget(actor: Actor, ports: AnswerPorts): Promise<object> {
  const forgotten = await reach(actor, ports, "forgetPerson", (channel) => channel.forgetPerson(actor.userId));
  if (!forgotten) return privately(UNAVAILABLE);
  return privately(forgottenText(forgotten, await forgetElsewhere(actor, ports), reachOf(actor)));
}

/** Null: the scope can't be reached. */
async function forgetElsewhere(actor: Actor, { access, logError }: AnswerPorts): Promise<ForgottenElsewhere | null> {
  const scope = scopeName(reachOf(actor) === "server" ? actor.guildId : null);
  try {
    return await access.scope(scope).forgetPerson(actor.userId, actor.channelId);
  } catch (error) {
    logError("a scope can't be reached", { scope, error: String(error) });
    return null;
  }
}
