// How the handlers call a scope's object: the one of the person's place, or the deployment's.
import { noteOf, type ScopeNote, scopeName } from "../../core/access/scope-copy.ts";
import type { ForgetReach } from "../../core/copy/privacy.ts";
import { conversationName } from "../../core/state/private-turns.ts";
import type { Actor } from "../interactions/parse.ts";
import { type AccessPorts, type AnswerPorts, reach } from "./channel-port.ts";
import { isServerInstall } from "./gate.ts";
import type { ScopePort } from "./scope-port.ts";

/** Returns where a person is: in a server that has added the bot, or outside. */
export const reachOf = (actor: Actor): ForgetReach => (isServerInstall(actor) ? "server" : "outside");

/** Returns the name of the scope of the person's place. */
export const scopeOf = (actor: Actor): string => scopeName(reachOf(actor) === "server" ? actor.guildId : null);

/** Calls the object of this scope. If it can't be reached, logs that and returns null. */
export async function reachScope<Answer>(
  scope: string,
  { access, logError }: Pick<AnswerPorts, "logError"> & { access: Pick<AccessPorts, "scope"> },
  call: (scope: ScopePort) => Promise<Answer>,
): Promise<Answer | null> {
  try {
    return await call(access.scope(scope));
  } catch (error) {
    logError("a scope can't be reached", { scope, error: String(error) });
    return null;
  }
}

/**
 * Notes in the scope that something in this conversation belongs to the person or names them: `/privacy` learns from the scope in which
 * channels to look. Returns false if the scope can't be reached.
 */
export async function noteKept(actor: Actor, ports: AnswerPorts): Promise<boolean> {
  const keeps = { op: "keeps", userId: actor.userId, conversation: conversationName(actor) } as const;
  return (await reachScope(scopeOf(actor), ports, (scope) => scope.person(keeps))) !== null;
}

/** Passes a change of the scope on to this channel at once. The others learn of it when their copies expire, within a minute. */
export async function readAnew(actor: Actor, ports: AnswerPorts): Promise<void> {
  const note = await newNote(actor, ports);
  if (note) await reach(actor, ports, "explain", (channel) => channel.explain(undefined, note));
}

/** Reads all that a channel keeps of the scope, after a change. Only a part of it could hide a change that somebody else just made. */
export async function newNote(actor: Actor, ports: AnswerPorts): Promise<ScopeNote | undefined> {
  const scope = scopeOf(actor);
  ports.access.forget(scope);
  const copy = await reachScope(scope, ports, (port) => port.copy());
  return copy ? noteOf(copy) : undefined;
}
