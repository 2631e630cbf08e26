// Computes a person's permissions in a channel from the server's roles and the channel's overwrites, as in Discord's docs
// (topics/permissions). Interactions carry them already computed; messages don't. Pure. Unknown data grants nothing.

/** What a channel changes for a role, a person or everyone (whose id is the server's). Bit sets are decimal text. */
export interface Overwrite {
  id: string;
  allow: string;
  deny: string;
}

/** Whose permissions to compute, and everything they depend on. Null: unknown. */
export interface PermissionQuestion {
  guildId: string;
  userId: string;
  /** Ids of the person's roles. */
  roles: readonly string[] | null;
  guild: { ownerId: string | null; roles: readonly { id: string; permissions: string }[] } | null;
  /** The channel's overwrites, or for a thread those of its parent, because a thread has none. */
  overwrites: readonly Overwrite[] | null;
}

/** Every bit that Discord uses or may add. */
export const ALL_PERMISSIONS = (1n << 64n) - 1n;
const ADMINISTRATOR = 1n << 3n;
const VIEW_CHANNEL = 1n << 10n;

/** Computes the bit set. Owners and administrators have all; a person who can't see the channel has none ("Implicit Permissions"). */
export function computePermissions(question: PermissionQuestion): bigint {
  const { guildId, userId, roles, guild, overwrites } = question;
  if (guild?.ownerId === userId) return ALL_PERMISSIONS;
  if (!guild || !roles) return 0n;
  const isTheirs = ({ id }: { id: string }) => id === guildId || roles.includes(id);
  const base = guild.roles.filter(isTheirs).reduce((bits, { permissions }) => bits | readAllowed(permissions), 0n);
  if ((base & ADMINISTRATOR) !== 0n) return ALL_PERMISSIONS;
  if (!overwrites) return 0n;
  // In the order of the docs: everyone, all roles together, the person.
  const held = [[guildId], roles.filter((id) => id !== guildId), [userId]].reduce((bits, ids) => {
    const some = overwrites.filter(({ id }) => ids.includes(id));
    const denied = some.reduce((all, { deny }) => all | readDenied(deny), 0n);
    return some.reduce((all, { allow }) => all | readAllowed(allow), bits & ~denied);
  }, base);
  return (held & VIEW_CHANNEL) === 0n ? 0n : held;
}

const isBitSet = (text: string): boolean => /^\d{1,30}$/.test(text);
const readAllowed = (text: string): bigint => (isBitSet(text) ? BigInt(text) : 0n);
/** Text that is not a number must grant nothing, so as a denial it denies everything. */
const readDenied = (text: string): bigint => (isBitSet(text) ? BigInt(text) : ALL_PERMISSIONS);
