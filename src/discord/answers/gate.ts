// Decides who gets in, before any other object is woken. Keeps a copy of each scope for a minute, so that an isolate with a copy answers without
// delay, and a stranger's thousandth click wakes nothing.
import { type AccessRefusal, judge, type Person, type Verdict } from "../../core/access/judge.ts";
import type { AccessPolicy } from "../../core/access/policy.ts";
import { COPY_LIFE_MS, type ScopeCopy, scopeName } from "../../core/access/scope-copy.ts";
import type { Actor } from "../interactions/parse.ts";
import { findUsedUp } from "./day-allowance.ts";
import { type After, inTime } from "./in-time.ts";
import type { FindScope } from "./scope-port.ts";

/** What the gate needs from outside. */
export interface GatePorts {
  scope: FindScope;
  now: () => number;
  after: After;
  logError: (line: string, detail: Record<string, unknown>) => void;
  /** Counts a request of someone who is refused; false beyond the limit. May reject. Null if the runtime has no such binding. */
  countRefused: ((scope: string) => Promise<boolean>) | null;
}

/** The decision about one person. `copy` is null when the variables alone decided. */
export type Admitted = { ok: true; copy: ScopeCopy } | { ok: false; refusal: AccessRefusal; copy: ScopeCopy | null };

/** One isolate's gate. */
export interface Gate {
  /** Decides whether this person may use the bot in this channel. Never rejects. */
  admit(person: Person, channelId: string, policy: AccessPolicy): Promise<Admitted>;
  /**
   * Returns the copy to judge a message by, if its author may be heard. That includes a person whom only a pause keeps out, so that they learn of
   * it. `failed`: it is unknown whether the person may be heard. Never rejects.
   */
  hear(person: Person, channelId: string, policy: AccessPolicy): Promise<ScopeCopy | "refused" | "failed">;
  /** Whether the variables, or a copy from the last minute, refuse this person for more than a pause. Asks no object; false is no permission. */
  refuses(person: Person, policy: AccessPolicy): boolean;
  /** Counts a request of someone who is refused, and says whether it is within the runtime's limit. Never rejects. */
  mayWake(person: Person): Promise<boolean>;
  /** Forgets the copy of a scope that was just changed here. */
  forget(scope: string): void;
}

interface Kept {
  copy: ScopeCopy;
  at: number;
}

/** How many scopes' copies are kept; the oldest one is dropped first. */
const MAX_COPIES = 500;
/** The time limit of a scope. The channel's object needs some of Discord's 3 s, too. */
const SCOPE_ANSWER_MS = 1200;
/** After a scope could not be reached, it is not asked again for this long. */
const FAILED_MS = 2000;

/** Whether the person is in a server that has added the bot. Only such a server has its own settings and scope. */
export const isServerInstall = ({ installContext }: Pick<Actor, "installContext">): boolean =>
  installContext.kind === "server" && installContext.isMember;

/** Returns the person in the form that the access rules need. */
export const personOf = (actor: Actor): Person => ({
  userId: actor.userId,
  guildId: actor.guildId,
  isServerInstall: isServerInstall(actor),
});

const scopeOf = ({ isServerInstall, guildId }: Person): string => scopeName(isServerInstall ? guildId : null);

/** Creates the gate of an isolate, or of the object that hears messages. */
export function createGate(ports: GatePorts): Gate {
  const copies = new Map<string, Kept>();
  const reading = new Map<string, { at: number; copy: Promise<ScopeCopy | null> }>();
  const failedAt = new Map<string, number>();
  /** The reason of the newest failure. */
  let unreadable: "unchecked" | "allowance_used_up" = "unchecked";

  // A copy from the future was read before the clock was set back.
  const isFresh = (kept: Kept | undefined) => kept !== undefined && Math.abs(ports.now() - kept.at) < COPY_LIFE_MS;
  const keep = (scope: string, copy: ScopeCopy) => {
    copies.delete(scope);
    copies.set(scope, { copy, at: ports.now() });
    for (const oldest of copies.keys()) if (copies.size > MAX_COPIES) copies.delete(oldest);
  };
  /** Reads a copy, with one request for all who wait for the same one. Null if the scope can't be reached. */
  const read = (scope: string, channelId: string): Promise<ScopeCopy | null> => {
    const underWay = reading.get(scope);
    // The promise belongs to the request that began it: if that one is canceled, it never settles, and its time limit never fires.
    if (underWay && ports.now() < underWay.at + SCOPE_ANSWER_MS) return underWay.copy;
    if (ports.now() < (failedAt.get(scope) ?? 0) + FAILED_MS) return Promise.resolve(null);
    const asked = inTime(ports.after, SCOPE_ANSWER_MS, () => ports.scope(scope).copy(channelId))
      .then((copy) => {
        keep(scope, copy);
        return copy;
      })
      .catch((error: unknown) => {
        ports.logError("a scope can't be reached", { scope, error: String(error) });
        for (const [one, at] of failedAt) if (ports.now() >= at + FAILED_MS) failedAt.delete(one);
        failedAt.set(scope, ports.now());
        unreadable = findUsedUp(error) === null ? "unchecked" : "allowance_used_up";
        return null;
      })
      .finally(() => reading.get(scope) === begun && reading.delete(scope));
    const begun = { at: ports.now(), copy: asked };
    reading.set(scope, begun);
    return asked;
  };
  const count = async (scope: string) => (await ports.countRefused?.(scope).catch(() => true)) ?? true;
  const mayReadAgain = async (scope: string, kept: Kept | undefined, person: Person, policy: AccessPolicy) => {
    if (!kept || judge(person, policy, kept.copy).kind !== "refused") return true;
    return count(scope);
  };
  const claim = async (guildId: string, scope: string, copy: ScopeCopy): Promise<ScopeCopy> => {
    try {
      // The claim goes through the server's own object, so that it drops its older copy before others ask it.
      await ports.scope(scope).claim(guildId);
      const claimed = { ...copy, server: { isClaimed: true, denied: null } };
      keep(scope, claimed);
      return claimed;
    } catch (error) {
      // The owner gets in all the same, and their next request claims the server.
      ports.logError("a server was not claimed", { guildId, error: String(error) });
      return copy;
    }
  };
  return {
    async admit(person, channelId, policy) {
      const scope = scopeOf(person);
      const kept = copies.get(scope);
      const byVariables = judge(person, policy, null);
      if (byVariables.kind === "refused") return { ok: false, refusal: byVariables.refusal, copy: kept?.copy ?? null };
      const mayRead = !isFresh(kept) && (await mayReadAgain(scope, kept, person, policy));
      // If the copy can't be read again, the old one stays in use.
      const copy = (mayRead ? await read(scope, channelId) : null) ?? copies.get(scope)?.copy ?? null;
      const verdict: Verdict = judge(person, policy, copy);
      if (copy === null || verdict.kind === "unknown") return { ok: false, refusal: { reason: unreadable }, copy };
      if (verdict.kind === "refused") return { ok: false, refusal: verdict.refusal, copy };
      const { guildId } = person;
      return { ok: true, copy: verdict.claims && guildId !== null ? await claim(guildId, scope, copy) : copy };
    },
    async hear(person, channelId, policy) {
      const admitted = await this.admit(person, channelId, policy);
      if (admitted.ok) return admitted.copy;
      const { copy, refusal } = admitted;
      if (copy && judge(person, policy, withoutPause(copy)).kind === "allowed") return copy;
      return UNREAD.has(refusal.reason) ? "failed" : "refused";
    },
    refuses(person, policy) {
      const kept = copies.get(scopeOf(person));
      return judge(person, policy, kept && isFresh(kept) ? withoutPause(kept.copy) : null).kind === "refused";
    },
    mayWake: (person) => count(scopeOf(person)),
    forget: (scope) => void copies.delete(scope),
  };
}

/** The refusals that only mean that the scope could not be read. */
export const UNREAD: ReadonlySet<AccessRefusal["reason"]> = new Set(["unchecked", "allowance_used_up"]);

/** Returns the copy without a pause, to decide about a message as if there were none. */
const withoutPause = (copy: ScopeCopy): ScopeCopy => ({ ...copy, isPaused: false });
