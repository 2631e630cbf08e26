// /persona: lists, creates, edits and deletes a channel's personas, and chooses the one that answers.
import type { PersonaChange } from "../../channel/change-personas.ts";
import { personaChangedText, personasText } from "../../core/copy/persona-list.ts";
import { personaFaultText } from "../../core/copy/personas.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import type { Typing } from "../interactions/invocation.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, inherited, type PersonaList, reach } from "./channel-port.ts";

/** Lists the personas. */
export async function listPersonas(actor: Actor, ports: AnswerPorts): Promise<object> {
  const list = await readPersonas(actor, ports);
  return privately(list ? personasText(list.personas, list.inUse) : UNAVAILABLE);
}

/** Makes one change and reports its result. */
export async function changePersona(actor: Actor, ports: AnswerPorts, change: PersonaChange): Promise<object> {
  const answer = await reach(actor, ports, "changePersona", async (channel) =>
    channel.changePersona(change, (await inherited(actor, ports)).parentSettings, actor.interactionId),
  );
  if (!answer) return privately(UNAVAILABLE);
  return privately(answer.ok ? personaChangedText(change.action, answer.persona) : personaFaultText(answer.fault));
}

/** Suggests the names of the personas. */
export async function suggestPersona(actor: Actor, ports: AnswerPorts): Promise<readonly string[]> {
  const list = await readPersonas(actor, ports);
  return list ? list.personas.map(({ name }) => name) : [];
}

/** Suggests lists of names: those typed so far, followed by one more. */
export async function suggestCast(actor: Actor, ports: AnswerPorts, { text }: Typing): Promise<readonly string[]> {
  const names = await suggestPersona(actor, ports);
  const written = text
    .split(",")
    .slice(0, -1)
    .map((name) => name.trim());
  return names.map((name) => [...written, name].join(", "));
}

const readPersonas = (actor: Actor, ports: AnswerPorts): Promise<PersonaList | undefined> =>
  reach(actor, ports, "personas", async (channel) => channel.personas((await inherited(actor, ports)).parentSettings));
