// Discord's permissions as the computed bit set of an interaction tells them: who moderates, and by name what tools ask for.

const ADMINISTRATOR = 1n << 3n;
const MANAGE_GUILD = 1n << 5n;
const MANAGE_MESSAGES = 1n << 13n;
const MANAGE_WEBHOOKS = 1n << 29n;

/** Bits of the permissions that a tool asks for (Discord, topics/permissions). */
const BITS: Readonly<Record<string, bigint>> = {
  ADD_REACTIONS: 1n << 6n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  SEND_POLLS: 1n << 49n,
  PIN_MESSAGES: 1n << 51n,
};

/** All that tools ask for: what a person has outside a server. */
export const EVERY_PERMISSION: readonly string[] = Object.keys(BITS);

/** Administrator, Manage Server or Manage Messages among computed permissions (a decimal bit set as text). */
export const isModerator = (permissions: string | undefined): boolean =>
  (read(permissions) & (ADMINISTRATOR | MANAGE_GUILD | MANAGE_MESSAGES)) !== 0n;

/** Administrator or Manage Server. */
export const isManager = (permissions: string | undefined): boolean =>
  (read(permissions) & (ADMINISTRATOR | MANAGE_GUILD)) !== 0n;

/** Administrator or Manage Webhooks. */
export const mayMakeWebhooks = (permissions: string | undefined): boolean =>
  (read(permissions) & (ADMINISTRATOR | MANAGE_WEBHOOKS)) !== 0n;

/** The names of the permissions in the set, as far as tools ask for them; an administrator has every one. */
export function permissionsIn(permissions: string | undefined): readonly string[] {
  const set = read(permissions);
  if ((set & ADMINISTRATOR) !== 0n) return EVERY_PERMISSION;
  return EVERY_PERMISSION.filter((name) => (set & (BITS[name] ?? 0n)) !== 0n);
}

/** A bit set that is no number grants nothing. */
const read = (permissions = ""): bigint => (/^\d{1,30}$/.test(permissions) ? BigInt(permissions) : 0n);
