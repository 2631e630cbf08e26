// Reads the computed permission bits of an interaction: who is a moderator or manager, and which permissions tools can ask for by
// name.

const ADMINISTRATOR = 1n << 3n;
const MANAGE_GUILD = 1n << 5n;
const VIEW_CHANNEL = 1n << 10n;
const SEND_MESSAGES = 1n << 11n;
const MANAGE_MESSAGES = 1n << 13n;
const READ_MESSAGE_HISTORY = 1n << 16n;
const MANAGE_WEBHOOKS = 1n << 29n;
const CREATE_PUBLIC_THREADS = 1n << 35n;
const SEND_MESSAGES_IN_THREADS = 1n << 38n;
const SEND_POLLS = 1n << 49n;

/** Bits of the permissions that tools ask for (Discord, topics/permissions). */
const BITS: Readonly<Record<string, bigint>> = {
  ADD_REACTIONS: 1n << 6n,
  READ_MESSAGE_HISTORY,
  CREATE_PUBLIC_THREADS,
  SEND_POLLS,
  PIN_MESSAGES: 1n << 51n,
};

/** All permissions that tools ask for. */
export const EVERY_PERMISSION: readonly string[] = Object.keys(BITS);

/** What a person has outside a server, where there are no threads, and an administrator in a thread, which can't contain other threads. */
export const WITHOUT_THREADS: readonly string[] = EVERY_PERMISSION.filter((name) => name !== "CREATE_PUBLIC_THREADS");

/** A bit set as a decimal string, as Discord writes it. */
type BitSet = string | undefined;

/** Whether the set has Administrator, Manage Server or Manage Messages. */
export const isModerator = (permissions: BitSet): boolean =>
  isManager(permissions) || hasAll(permissions, MANAGE_MESSAGES);

/** Whether the set has Administrator or Manage Server. */
export const isManager = (permissions: BitSet): boolean => hasAll(permissions, MANAGE_GUILD);

/** Whether the set has Administrator or Manage Webhooks. */
export const mayMakeWebhooks = (permissions: BitSet): boolean => hasAll(permissions, MANAGE_WEBHOOKS);

/** Whether the set has Administrator, or both Create Public Threads and Send Messages in Threads; true if the set is unknown. */
export const mayAnswerInThreads = (permissions: BitSet): boolean =>
  permissions === undefined || hasAll(permissions, CREATE_PUBLIC_THREADS | SEND_MESSAGES_IN_THREADS);

/** Whether the set has Administrator, or both View Channel and Read Message History. */
export const mayReadHistory = (permissions: BitSet): boolean =>
  hasAll(permissions, VIEW_CHANNEL | READ_MESSAGE_HISTORY);

/** Whether the set has all wanted bits. An administrator has every permission. */
function hasAll(permissions: BitSet, wanted: bigint): boolean {
  const set = read(permissions);
  return (set & ADMINISTRATOR) !== 0n || (set & wanted) === wanted;
}

/**
 * Returns the names of the permissions in the set, limited to those that tools ask for. An administrator has all of them. A poll is a
 * message, so whoever may not write here may not post one; in a thread, a different bit says who may write.
 */
export function permissionsIn(permissions: BitSet, isThread: boolean): readonly string[] {
  const set = read(permissions);
  const all = isThread ? WITHOUT_THREADS : EVERY_PERMISSION;
  if ((set & ADMINISTRATOR) !== 0n) return all;
  const mayWrite = (set & (isThread ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES)) !== 0n;
  const held = mayWrite ? set : set & ~SEND_POLLS;
  return all.filter((name) => (held & (BITS[name] ?? 0n)) !== 0n);
}

/** Reads a bit set. A string that is not a number grants nothing. */
const read = (permissions = ""): bigint => (/^\d{1,30}$/.test(permissions) ? BigInt(permissions) : 0n);
