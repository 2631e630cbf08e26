// Handles a click on Retry, on Continue after a limit, or on Regenerate. It starts a new turn, which is admitted like any other.

import { say } from "../../src/core/copy/notices.ts";
import { refuseChange } from "../../src/core/decisions/newest-answer.ts";
import { offeredAfter } from "../../src/core/decisions/offer.ts";
import { givenAddresses } from "../../src/core/decisions/own-words.ts";
import { isDenied } from "../../src/core/state/access-lists.ts";
import { attachmentKind } from "../../src/core/state/attachments.ts";
import type { TurnRecord, TurnRequest } from "../../src/core/state/record.ts";
import type { AgainRequest, Receipt, Refusal, Submission } from "../../src/core/state/rpc.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { keptTaint, worstTaint } from "../../src/core/taint/taint.ts";
import type { Channel } from "../live-channel.ts";
import { dropButtons } from "../replies/posted-reply.ts";
import { noteHere } from "../schedule/rearm.ts";
import { effectiveSettings } from "../settings/effective-settings.ts";
import { isNewest } from "../turn/newest-answer.ts";
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
  // Ask the persona that failed, even when another one is the default by now. What was private stays so.
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

/** A moderator's click is admitted as the asker's, and so is its refusal. */
const aboutAsker = (receipt: Receipt, { request: { userId } }: TurnRecord, clickedBy: string): Receipt =>
  receipt.kind === "refused" && userId !== clickedBy ? { ...receipt, asker: userId } : receipt;

function refuseRegenerate(
  { ports }: Channel,
  turn: TurnRecord | null,
  { trigger: person, roles = [] }: Submission,
): Refusal | null {
  if (isDenied(effectiveSettings(ports).access, person.userId, roles)) return { reason: "denied" };
  const refusal = refuseChange(turn, turn !== null && isNewest(ports.store, turn), person);
  return refusal ?? (isBeingReplaced(ports, turn?.id) ? { reason: "asked_again" } : null);
}

/** A turn that ended without an answer doesn't count, however it ended: the old answer may be regenerated or continued. */
const isBeingReplaced = ({ store }: Channel["ports"], id: string | undefined): boolean =>
  id !== undefined && unfinishedTurns(store.state()).some(({ request }) => request.replaces === id);

type Words = Required<Pick<TurnRequest, "text" | "names">>;

/** What the turn was asked, and below it what its asker said while it ran and it took in, with the names of what that mentions. */
function allWords({ ports: { store } }: Channel, { id, request }: TurnRecord): Words {
  const [, ...joined] = store.messagesInTurn(id).filter(({ speaker }) => speaker);
  const names: Words["names"] = Object.assign({}, request.names, ...joined.map(({ speaker }) => speaker?.names));
  return { text: [request, ...joined].map(({ text }) => text).join("\n\n"), names };
}

/**
 * The same question of the same person, with what joined it, as a turn that takes the place of the first. Its rights are the person's of
 * now where they click themselves, else those of the first turn. The bot gives this answer itself, even where a persona's webhook gave the
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
  // The turn itself may be a try at another answer that failed.
  const { replaces = "" } = turn.request;
  const isAgain = (id: string) => ports.store.turn(id)?.askedAgain || isBeingReplaced(ports, id);
  return isAgain(turn.id) || isAgain(replaces) ? { reason: "asked_again" } : null;
}

/**
 * For Retry: the same question. For Continue: a request to continue this answer, with the files again, because only the turn that reads
 * files has them in its requests. What its sounds say is in the conversation already.
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
