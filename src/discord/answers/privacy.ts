// /privacy: deletes what is kept about a person in this channel, after a click that confirms it.
import { forgetQuestion, forgottenText } from "../../core/copy/privacy.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { buildButtonRows } from "../components.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, reach } from "./channel-port.ts";

/** Asks for a click. Only the person sees the button. */
export function askToForget({ userId }: Actor): object {
  const { type, data } = privately(forgetQuestion);
  return { type, data: { ...data, components: buildButtonRows(["forget"], userId) } };
}

/** Forgets the person who clicked. A second click finds nothing. */
export async function forget(actor: Actor, ports: AnswerPorts): Promise<object> {
  const forgotten = await reach(actor, ports, "forgetPerson", (channel) => channel.forgetPerson(actor.userId));
  return privately(forgotten ? forgottenText(forgotten) : UNAVAILABLE);
}
