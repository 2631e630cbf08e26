// Private turns: those whose answer only their asker can see. Each person has their own transcript of them, and no one else learns of them.
// What a person asks where they brought the bot along themselves is in an object of their own, whoever sees the answer. Pure.
import type { InstallContext } from "./install-context.ts";
import type { TurnRecord } from "./record.ts";
import type { TurnRequest } from "./turn-request.ts";

type Asked = Pick<TurnRecord, "request">;

/** A person who looks at the channel's turns, and whether they may see those of other people. */
export interface Viewer {
  userId: string;
  moderator: boolean;
}

/** The viewer when the caller, an older Worker, does not say who looks. They see no turn. */
export const unknownViewer: Viewer = { userId: "", moderator: false };

/** Whether the answer is private from the start. Discord makes it so where a person brought us into a server that has not added us. */
export const isPrivatePlace = (context: InstallContext): boolean => context.kind === "server" && !context.isMember;

/**
 * Returns the name of the object that keeps a conversation: Discord's id of the channel, and where a person brought the bot along, their id
 * too. It is never sent to Discord.
 */
export const conversationName = ({ channelId, broughtBy }: { channelId: string; broughtBy?: string | null }): string =>
  broughtBy ? `${channelId}:${broughtBy}` : channelId;

/** Whether this is a private turn in an object that other people use too. It then has no access to what the whole object remembers. */
export const isSetApart = ({ privateTo, broughtBy }: Pick<TurnRequest, "privateTo" | "broughtBy">): boolean =>
  privateTo !== undefined && broughtBy === undefined;

/** Returns whose transcript a turn belongs to: a person's own, or with null the channel's. */
export const transcriptOwner = ({ privateTo }: Pick<TurnRequest, "privateTo">): string | null => privateTo ?? null;

/** Whether this person may learn that the turn exists. */
export const isKnownTo = ({ request }: Asked, userId: string): boolean => {
  const owner = transcriptOwner(request);
  return owner === null || owner === userId;
};

/** Whether this viewer may read the turn's timeline. */
export const mayReadTimeline = (turn: Asked, { userId, moderator }: Viewer): boolean =>
  turn.request.userId === userId || (moderator && isKnownTo(turn, userId));

/** Returns the turn as private to its asker: Discord shows its answer to no one else. */
export const madePrivate = (turn: TurnRecord): TurnRecord => ({
  ...turn,
  request: { ...turn.request, privateTo: turn.request.userId },
});

/**
 * Whether the turn's words must stay in its object, so that no inspector shows them: answers that only their asker sees, direct messages,
 * turns of people who brought the bot along, and turns that were forgotten while their last edit was on its way.
 */
export const hidesWords = ({ request, forgotten }: Pick<TurnRecord, "request" | "forgotten">): boolean =>
  forgotten === true ||
  request.privateTo !== undefined ||
  request.guildId === null ||
  Boolean(request.broughtBy) ||
  request.catchUp !== undefined;
