// /remember me: stores a fact about the person for this server, which is read only with their own questions.
import { rememberedText } from "../../core/copy/own-facts.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import type { AnswerPorts } from "./channel-port.ts";
import { reachOf, reachScope, readAnew, scopeOf } from "./reach-scope.ts";

/** Stores the fact. May run twice: the same words are stored once. */
export async function rememberMe(actor: Actor, ports: AnswerPorts, words: string): Promise<object> {
  const { userId } = actor;
  const text = words.trim();
  if (text === "") return privately(rememberedText({ op: "empty" }, reachOf(actor)));
  const answer = await reachScope(scopeOf(actor), ports, (scope) =>
    scope.person({ op: "remember", userId, text, origin: "person" }),
  );
  if (answer?.op !== "remembered" && answer?.op !== "full") return privately(UNAVAILABLE);
  await readAnew(actor, ports);
  return privately(rememberedText(answer, reachOf(actor)));
}
