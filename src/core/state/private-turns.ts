// Private turns: those whose answer only their asker can see. They have a transcript of their own for each person, and no one else
// learns of them. What a person asks where only they brought the bot along is in an object of that person's own, whoever sees the answer.
// Pure.
import type { InstallContext } from "./install-context.ts";
import type { TurnRecord } from "./record.ts";
import type { TurnRequest } from "./turn-request.ts";

type Asked = Pick<TurnRecord, "request">;

/** A person who looks at the channel's turns, and whether they may look at those of other people. */
export interface Viewer {
  userId: string;
  moderator: boolean;
}

/** A viewer for a caller that does not say who looks: an older Worker. They see no turn. */
export const unknownViewer: Viewer = { userId: "", moderator: false };

/** Is the answer private from the start? Discord decides it where a person brought us into a server that has not added us. */
export const isPrivatePlace = (context: InstallContext): boolean => context.kind === "server" && !context.isMember;

/**
 * The name of the object that keeps a conversation: the channel's id (Discord's), and where a person brought the bot along, also theirs. It
 * is never sent to Discord.
 */
export const conversationName = ({ channelId, broughtBy }: { channelId: string; broughtBy?: string | null }): string =>
  broughtBy ? `${channelId}:${broughtBy}` : channelId;

/** Is it a private turn in an object that other people use too? Then it has no part in what the whole object remembers. */
export const isSetApart = ({ privateTo, broughtBy }: Pick<TurnRequest, "privateTo" | "broughtBy">): boolean =>
  privateTo !== undefined && broughtBy === undefined;

/** Whose transcript a turn belongs to: a person's own, or with null the channel's. */
export const transcriptOwner = ({ privateTo }: Pick<TurnRequest, "privateTo">): string | null => privateTo ?? null;

/** May this person learn that the turn exists? */
export const isKnownTo = ({ request }: Asked, userId: string): boolean => {
  const owner = transcriptOwner(request);
  return owner === null || owner === userId;
};

/** May this viewer read the turn's timeline? */
export const mayReadTimeline = (turn: Asked, { userId, moderator }: Viewer): boolean =>
  turn.request.userId === userId || (moderator && isKnownTo(turn, userId));

/** Returns the turn as private to its asker: Discord shows its answer to no one else. */
export const madePrivate = (turn: TurnRecord): TurnRecord => ({
  ...turn,
  request: { ...turn.request, privateTo: turn.request.userId },
});

/**
 * Must the turn's words stay in its object, so that no inspector shows them? True of answers that only their asker sees, of direct messages, of people who brought the bot along, and
 * of what was forgotten while its last edit was on its way.
 */
export const hidesWords = ({ request, forgotten }: Pick<TurnRecord, "request" | "forgotten">): boolean =>
  forgotten === true ||
  request.privateTo !== undefined ||
  request.guildId === null ||
  Boolean(request.broughtBy) ||
  request.catchUp !== undefined;
