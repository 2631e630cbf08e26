// /reminders: lists and cancels reminders: one's own or, for moderators, everyone's.
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import { cancelText, remindersText } from "../../core/copy/reminders.ts";
import { isBotMember } from "../../core/state/install-context.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { type AnswerPorts, reach, readViewer } from "./channel-port.ts";

/** Shows the reminders that the person may cancel. */
export async function listReminders(actor: Actor, ports: AnswerPorts): Promise<object> {
  const pending = await reach(actor, ports, "reminders", (channel) => channel.reminders(readViewer(actor)));
  const maySet = ports.hasBotToken && isBotMember(actor.installContext);
  return privately(pending ? remindersText(pending, maySet) : UNAVAILABLE);
}

/** Cancels one reminder. */
export async function cancelReminder(actor: Actor, ports: AnswerPorts, number: number | undefined): Promise<object> {
  if (number === undefined) return privately(cancelText("not_found", 0));
  const answer = await reach(actor, ports, "cancelReminder", (channel) =>
    channel.cancelReminder(number, readViewer(actor), actor.interactionId),
  );
  return privately(answer ? cancelText(answer, number) : UNAVAILABLE);
}
