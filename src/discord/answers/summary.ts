// /bot summary and /bot compact: shows the summary of the earlier conversation, and asks for a new one.
import { compactionText, summaryHead } from "../../core/copy/compaction.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately, privatelyLong } from "../interactions/respond.ts";
import { type AnswerPorts, reach } from "./channel-port.ts";

/** Shows the summary. */
export async function showSummary(actor: Actor, ports: AnswerPorts): Promise<object> {
  const found = await reach(actor, ports, "summary", (channel) => channel.summary());
  if (found === undefined) return privately(UNAVAILABLE);
  return found ? privatelyLong(summaryHead(found), found.text) : privately(summaryHead(null));
}

/** Plans a summary for when nothing else is running. */
export async function compact(actor: Actor, ports: AnswerPorts, focus: string | null): Promise<object> {
  // Outside servers everyone sees the answers, so they are in no person's private transcript.
  const owner = actor.guildId && actor.broughtBy;
  const answer = await reach(actor, ports, "compact", (channel) => channel.compact(focus, owner));
  return privately(answer ? compactionText(answer) : UNAVAILABLE);
}
