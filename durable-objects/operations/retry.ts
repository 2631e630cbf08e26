// Handles a click on Retry, on Continue after a limit, or on Regenerate: creates a new turn, which is admitted like any other.

import { say } from "../../src/core/copy/notices.ts";
import { offeredAfter } from "../../src/core/decisions/offer.ts";
import { givenAddresses } from "../../src/core/decisions/own-words.ts";
import { isDenied } from "../../src/core/state/access-lists.ts";
import { attachmentKind } from "../../src/core/state/attachments.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import type { AgainRequest, Receipt, Refusal, Submission } from "../../src/core/state/rpc.ts";
import { keptTaint, worstTaint } from "../../src/core/taint/taint.ts";
import type { Channel } from "../live-channel.ts";
import { dropButtons } from "../replies/posted-reply.ts";
import { noteHere } from "../schedule/rearm.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { isBeingReplaced, refuseChangeNow } from "../turn/newest-answer.ts";
import { admitMessage } from "./admit.ts";

/** Asks again. Repeating an interaction returns the same receipt; a second click on the same button is refused. */
export function askAgain(channel: Channel, { turnId, replaces, submission }: AgainRequest): Receipt {
  const { store, keepAlive } = channel.ports;
  const { trigger: request } = submission;
  const known = store.turn(request.interactionId);
  if (known) return aboutAsker(admitMessage(channel, submission), known, request.userId);
  noteHere(channel, submission);
  const turn = store.turn(turnId);
  const refusal = replaces ? refuseRegenerate(channel, turn, submission) : refuseRetry(channel, turn, request.userId);
  if (!turn || refusal) return { kind: "refused", refusal: refusal ?? { reason: "forgotten" } };
  // Ask the persona that failed, even if another one is the default by now. A private turn stays private.
  const { persona, privateTo, replaces: wanted } = turn.request;
  const words = allWords(channel, turn);
  const again = replaces
    ? askedAnew(turn, request, words)
    : {
        ...{ ...request, ...wordsToAskAgain(turn, words), again: turn.id },
        ...(privateTo && { privateTo }),
        ...(wanted && { replaces: wanted }),
      };
  const asked = { ...again, ...keptTaint(worstTaint(turn.taint, turn.request.taint)) };
  const receipt = admitMessage(channel, {
    ...submission,
    trigger: asked,
    ...(replaces && turn.request.userId !== request.userId && { roles: turn.request.roles ?? [] }),
    ...(persona && { speakers: { ...submission.speakers, persona: persona.name } }),
  });
  if (receipt.kind === "refused") return aboutAsker(receipt, turn, request.userId);
  // The old answer stays as it is, with its buttons, until the new one takes its place.
  if (replaces) return receipt;
  store.transaction(() => store.saveTurn({ ...turn, askedAgain: true }));
  keepAlive(dropButtons(channel.ports, channel.replies.withRoute(turn)));
  return receipt;
}

/** Adds the asker to a refusal of somebody else's click: a moderator's click is admitted as the asker, so the refusal is about the asker. */
const aboutAsker = (receipt: Receipt, { request: { userId } }: TurnRecord, clickedBy: string): Receipt =>
  receipt.kind === "refused" && userId !== clickedBy ? { ...receipt, asker: userId } : receipt;

function refuseRegenerate(
  { ports }: Channel,
  turn: TurnRecord | null,
  { trigger: person, roles = [] }: Submission,
): Refusal | null {
  if (isDenied(effectiveSettings(ports).access, person.userId, roles)) return { reason: "denied" };
  return refuseChangeNow(ports.store, turn, person);
}

type Words = Required<Pick<TurnRequest, "text" | "names">>;

/** Returns the turn's question, followed by the asker's messages that joined it while it ran, with the names of what they mention. */
function allWords({ ports: { store } }: Channel, { id, request }: TurnRecord): Words {
  const [, ...joined] = store.messagesInTurn(id).filter(({ speaker }) => speaker);
  const names: Words["names"] = Object.assign({}, request.names, ...joined.map(({ speaker }) => speaker?.names));
  return { text: [request, ...joined].map(({ text }) => text).join("\n\n"), names };
}

/**
 * Returns the same question from the same person, with what joined it, for a turn that replaces the first. It has the person's current rights
 * if they clicked themselves, else those of the first turn. The bot posts this answer itself, even if a persona's webhook posted the
 * first one.
 */
function askedAnew({ id, request }: TurnRecord, person: TurnRequest, words: Words) {
  const { interactionId, token, applicationId, receivedAt, userId, moderator, permissions = [], isOwner } = person;
  const { messageId: _asked, editedAt: _edited, noThread: _there, beginsThread: _opened, ...spoken } = request;
  const { webhookChannelId: _voice, scene: _header, byModerator: _before, ...question } = spoken;
  const isOwn = userId === request.userId;
  const rights = { moderator, permissions, roles: [], ...(isOwner !== undefined && { isOwner }) };
  return {
    ...question,
    ...words,
    ...(isOwn ? rights : { byModerator: true as const }),
    interactionId,
    token,
    applicationId,
    receivedAt,
    again: id,
    replaces: id,
  };
}

function refuseRetry({ ports }: Channel, turn: TurnRecord | null, userId: string): Refusal | null {
  if (turn?.checkpoint.kind !== "send" || offeredAfter(turn.checkpoint.ending) === null) return { reason: "forgotten" };
  if (turn.request.userId !== userId) return { reason: "not_yours" };
  // The turn itself may have been a failed try to replace another answer.
  const { replaces = "" } = turn.request;
  const isAgain = (id: string) => ports.store.turn(id)?.askedAgain || isBeingReplaced(ports.store, id);
  return isAgain(turn.id) || isAgain(replaces) ? { reason: "asked_again" } : null;
}

/**
 * Returns, for Retry, the same question; for Continue, a request to continue this answer, with the files again, because only the turn that
 * reads files has them in its requests. The conversation already contains what its sounds say.
 */
function wordsToAskAgain({ checkpoint, request, parts }: TurnRecord, words: Words) {
  const { quoted, joinedQuotes, attachments = [], repliesTo, heard, showsQuestion } = request;
  const offered = checkpoint.kind === "send" ? offeredAfter(checkpoint.ending) : null;
  const named = givenAddresses(request);
  const said = {
    ...words,
    ...(quoted && { quoted }),
    ...(joinedQuotes && { joinedQuotes }),
    attachments,
    ...(heard && { heard }),
    ...(repliesTo && { repliesTo }),
    ...(showsQuestion && { showsQuestion }),
  };
  const id = parts.at(-1)?.id;
  const unheard = attachments.filter((one) => attachmentKind(one) !== "sound");
  const goOn = { text: say.goOn, attachments: unheard, ...(id && { repliesTo: id }) };
  return { ...(offered === "go_on" ? goOn : said), ...(named.length > 0 && { named }) };
}
