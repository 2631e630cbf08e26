// A turn may be admitted and then refused before its first call: a limit that only the scope counts is reached, or the owners have shut its
// person out since. Only its asker is told why, as where the same is known at once.
import { refusedText } from "../../src/core/copy/endings.ts";
import { textForAsker } from "../../src/core/copy/refusals.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import { ORIGINAL } from "../../src/discord/rest/rest.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { tellRefusal } from "./asker-notices.ts";
import { isTokenAlive } from "./find-late.ts";
import type { QuestionSigns } from "./question-signs.ts";
import { removeReply } from "./removal.ts";
import { retried } from "./retried.ts";
import { tellPrivately } from "./side-messages.ts";

/** How long the deletion is tried. */
const WITHDRAW_MS = 10_000;

/** Tells the person whose message asked, which has no reply, like every refusal of a message. Repeating it sends no second direct message. */
export function tellAskerOf(ports: ChannelPorts, signs: QuestionSigns, turn: TurnRecord): void {
  const text = textOf(turn);
  if (text !== null) tellRefusal(ports, signs, turn.request, text);
}

/**
 * Tells the asker by the interaction's token, and then deletes the reply that shows the refusal to everyone. That reply has its words by
 * now, for two reasons. A followup to a response without words would take the response's place, for everyone to see (Discord). And if
 * something fails or dies here, the reply stays. `turn`: as it was before it was finished, with its token.
 */
export async function withdrawRefusal(ports: ChannelPorts, turn: TurnRecord): Promise<void> {
  const { applicationId, token: ownToken, scene } = turn.request;
  const token = ownToken ?? scene?.token;
  const text = textOf(turn);
  if (text === null || !token || !isTokenAlive(ports, turn)) return;
  const endpoint = { applicationId, token };
  if (!(await tellPrivately(ports, endpoint, text))) return;
  const { parts, voice } = ports.store.turn(turn.id) ?? turn;
  // What a persona says, and the line above it.
  if (scene) await removeReply(ports, { ...turn, parts, ...(voice && { voice }) });
  else await retried(ports, ports.clock() + WITHDRAW_MS, () => ports.rest.remove(endpoint, ORIGINAL));
}

function textOf({ checkpoint, request: { byModerator, userId } }: TurnRecord): string | null {
  const text = checkpoint.kind === "send" ? refusedText(checkpoint.ending) : null;
  return text !== null && byModerator ? textForAsker(text, userId) : text;
}
