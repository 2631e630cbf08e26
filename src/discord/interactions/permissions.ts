// Reads the computed permission bits of an interaction: who is a moderator or manager, and which permissions tools can ask for by
// name.

const ADMINISTRATOR = 1n << 3n;
const VIEW_CHANNEL = 1n << 10n;
const READ_MESSAGE_HISTORY = 1n << 16n;
const MANAGE_GUILD = 1n << 5n;
const MANAGE_MESSAGES = 1n << 13n;
const SEND_MESSAGES = 1n << 11n;
const SEND_MESSAGES_IN_THREADS = 1n << 38n;
const ANSWER_IN_THREADS = (1n << 35n) | SEND_MESSAGES_IN_THREADS;
const MANAGE_WEBHOOKS = 1n << 29n;

const SEND_POLLS = 1n << 49n;

/** Bits of the permissions that tools ask for (Discord, topics/permissions). */
const BITS: Readonly<Record<string, bigint>> = {
  ADD_REACTIONS: 1n << 6n,
  READ_MESSAGE_HISTORY,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  SEND_POLLS,
  PIN_MESSAGES: 1n << 51n,
};

/** All that tools ask for: what a person has outside a server. */
export const EVERY_PERMISSION: readonly string[] = Object.keys(BITS);

/** True with Administrator, Manage Server or Manage Messages. `permissions` is a bit set as decimal text. */
export const isModerator = (permissions: string | undefined): boolean =>
  (read(permissions) & (ADMINISTRATOR | MANAGE_GUILD | MANAGE_MESSAGES)) !== 0n;

/** True with Administrator or Manage Server. */
export const isManager = (permissions: string | undefined): boolean =>
  (read(permissions) & (ADMINISTRATOR | MANAGE_GUILD)) !== 0n;

/** True with Administrator or Manage Webhooks. */
export const mayMakeWebhooks = (permissions: string | undefined): boolean =>
  (read(permissions) & (ADMINISTRATOR | MANAGE_WEBHOOKS)) !== 0n;

/** True with Administrator, or with Create Public Threads and Send Messages in Threads; also where the set is not known. */
export function mayAnswerInThreads(permissions: string | undefined): boolean {
  const set = read(permissions);
  return permissions === undefined || (set & ADMINISTRATOR) !== 0n || (set & ANSWER_IN_THREADS) === ANSWER_IN_THREADS;
}

/** True with Administrator, or with both View Channel and Read Message History. */
export function mayReadHistory(permissions: string | undefined): boolean {
  const set = read(permissions);
  const both = VIEW_CHANNEL | READ_MESSAGE_HISTORY;
  return (set & ADMINISTRATOR) !== 0n || (set & both) === both;
}

/**
 * The names of the permissions in the set, limited to those that tools ask for. An administrator has all of them. A poll is a message, so
 * whoever may not write here may not post one; in a thread another bit says whether they may.
 */
export function permissionsIn(permissions: string | undefined, isThread: boolean): readonly string[] {
  const set = read(permissions);
  if ((set & ADMINISTRATOR) !== 0n) return EVERY_PERMISSION;
  const mayWrite = (set & (isThread ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES)) !== 0n;
  const held = mayWrite ? set : set & ~SEND_POLLS;
  return EVERY_PERMISSION.filter((name) => (held & (BITS[name] ?? 0n)) !== 0n);
}

/** A text that is not a number grants nothing. */
const read = (permissions = ""): bigint => (/^\d{1,30}$/.test(permissions) ? BigInt(permissions) : 0n);
