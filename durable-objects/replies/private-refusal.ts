// Shows a refusal to the asker alone when a turn was admitted and then refused before its first call, because a limit that only the scope counts
// is reached, or because the owners have shut the person out since. A refusal at admission is shown in the same way.
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

/** How long the deletion is retried. */
const WITHDRAW_MS = 10_000;

/** Notifies a person who asked by a message, as for every refused message: there is no reply. Repeating it sends no second direct message. */
export function notifyAsker(ports: ChannelPorts, signs: QuestionSigns, turn: TurnRecord): void {
  const text = textOf(turn);
  if (text !== null) tellRefusal(ports, signs, turn.request, text);
}

/**
 * Notifies the asker by the interaction's token, then deletes the reply that shows the refusal to everyone. That reply already has its text,
 * for two reasons. A followup to a response without text would replace that response, for everyone to see (Discord). And if
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
  // The persona's message, and the scene's header above it.
  if (scene) await removeReply(ports, { ...turn, parts, ...(voice && { voice }) });
  else await retried(ports, ports.clock() + WITHDRAW_MS, () => ports.rest.remove(endpoint, ORIGINAL));
}

function textOf({ checkpoint, request: { byModerator, userId } }: TurnRecord): string | null {
  const text = checkpoint.kind === "send" ? refusedText(checkpoint.ending) : null;
  return text !== null && byModerator ? textForAsker(text, userId) : text;
}
