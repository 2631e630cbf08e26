// The local world as the page sees it: its shapes, and the requests that read and change it. Draws nothing.

import type { Picked } from "./apps.ts";

/** A server. */
export type Server = { id: string; name: string };
/** A channel, by Discord's `type`. Outside a server it is a direct message (1) or a group of people (3). */
export type Channel = { id: string; name: string; type: number; serverId?: string; parentId?: string };
/**
 * A person who can speak here. `owner`: the bot is theirs. `installed`: they brought it along. `ranks`: their place in each server
 * that they are a member of.
 */
export type Person = {
  id: string;
  name: string;
  owner: boolean;
  installed: boolean;
  ranks: Record<string, "owner" | "moderator" | "member">;
};

/** A button as Discord describes it: styles 1 primary, 2 secondary, 3 success, 4 danger, 5 link (with `url`). */
export type Button = {
  type: number;
  style?: number;
  label?: string;
  emoji?: { name?: string };
  custom_id?: string;
  url?: string;
  disabled?: boolean;
};
/** A row of buttons below a message. */
export type ActionRow = { type: number; components?: Button[] };

/**
 * One message as the local Discord shows it to this person. `loading`: a deferred response without text yet. `failed`: the
 * client's own sentence about an interaction without an answer.
 */
export type LocalMessage = {
  id: string;
  channelId: string;
  author: { id: string; name: string; bot: boolean };
  content: string;
  ephemeral: boolean;
  loading: boolean;
  components: ActionRow[];
  embeds?: { title?: string; description?: string; url?: string }[];
  attachments: { filename: string; size: number; url?: string; text?: string }[];
  interaction?: { userId: string; name: string; command: string; text: string };
  createdAt: number | string;
  editedAt?: number | string | null;
  failed?: string;
  /** Discord's own line about the channel: what the author did, in place of words. */
  deed?: string;
  poll?: { question: string; answers: string[]; expiresAt: number; mayChooseSeveral: boolean };
  reactions?: { emoji: string; count: number }[];
  pinned?: true;
  thread?: { id: string; name: string };
};

/** Which channel is shown, and to whom. Either may be unknown at first; the world then shows its first. */
export type View = { channel?: string | undefined; as?: string | undefined };
/** The answer of `/local/state`. */
export type WorldState = { servers: Server[]; channels: Channel[]; people: Person[]; messages: LocalMessage[] };
/** The result of a request. The error is a sentence for the person. */
export type Answer = { ok: true } | { ok: false; error: string };

/** The query of a view, without what is unknown. */
export function buildQuery(view: View): string {
  const known = Object.entries(view).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(known).toString();
}

/** Reads the world once. Rejects if the playground does not answer. */
export async function readWorld(view: View): Promise<WorldState> {
  const response = await fetch(`/local/state?${buildQuery(view)}`);
  if (!response.ok) throw new Error(`The playground answered ${response.status}.`);
  return await response.json();
}

/** Sends `/chat message` as a person, with or without a file. */
export const say = (channel: string, as: string, message: string, file: Picked | null): Promise<Answer> =>
  post("/local/say", { channel, as, message, ...(file && { file }) });

/** Clicks a message's button as a person. */
export const click = (channel: string, as: string, messageId: string, customId: string): Promise<Answer> =>
  post("/local/click", { channel, as, messageId, customId });

/** The result of a request, with what the application showed in answer. */
export type PostResult = Answer & { seen?: string; shown?: unknown };

/** Sends the playground a request. Never rejects. */
export async function post(path: string, body: object): Promise<PostResult> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: { ok?: boolean; error?: unknown; seen?: string; shown?: unknown } = await response
      .json()
      .catch(() => ({}));
    const { seen, shown } = answer;
    if (response.ok && answer.ok !== false) return { ok: true, ...(seen !== undefined && { seen }), shown };
    return {
      ok: false,
      error: typeof answer.error === "string" ? answer.error : `The playground refused this with ${response.status}.`,
    };
  } catch {
    return { ok: false, error: "The playground does not answer. Is it still running?" };
  }
}
