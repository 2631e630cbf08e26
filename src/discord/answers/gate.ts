// Who gets in: asked before anything else is woken. Keeps a copy of each scope for a minute, so that an isolate that has one adds nothing
// to an answer, and a stranger's thousandth click wakes no one.
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
  /** Counts the refused; false beyond the limit. May reject. Null: the runtime has no such binding. */
  countRefused: ((scope: string) => Promise<boolean>) | null;
}

/** The decision about one person. `copy` is null when the variables alone decided. */
export type Admitted = { ok: true; copy: ScopeCopy } | { ok: false; refusal: AccessRefusal; copy: ScopeCopy | null };

/** One isolate's gate. */
export interface Gate {
  /** May this person use the bot in this channel? Never rejects. */
  admit(person: Person, channelId: string, policy: AccessPolicy): Promise<Admitted>;
  /**
   * The copy by which a message is heard. A person whom only a pause keeps out is heard too, and told so. `failed`: no one knows whether
   * the person may be heard. Never rejects.
   */
  hear(person: Person, channelId: string, policy: AccessPolicy): Promise<ScopeCopy | "refused" | "failed">;
  /** True when the variables, or a copy of the last minute, refuse this person for more than a pause. Asks no one; false is no permission. */
  refuses(person: Person, policy: AccessPolicy): boolean;
  /** Is a request of someone who is refused within the runtime's limit? Counts it. Never rejects. */
  mayWake(person: Person): Promise<boolean>;
  /** Forgets the copy of a scope that was just changed here. */
  forget(scope: string): void;
}

interface Kept {
  copy: ScopeCopy;
  at: number;
}

/** The copies of so many scopes are kept; the one that was read first goes first. */
const MAX_COPIES = 500;
/** The channel's object needs some of Discord's 3 s, too. */
const SCOPE_ANSWER_MS = 1200;
/** A scope that could not be reached is asked again after so long. */
const FAILED_MS = 2000;

/** Are they in a server that has added the bot? Only such a server has settings and a scope of its own. */
export const isServerInstall = ({ installContext }: Pick<Actor, "installContext">): boolean =>
  installContext.kind === "server" && installContext.isMember;

/** The person as the rules see them. */
export const personOf = (actor: Actor): Person => ({
  userId: actor.userId,
  guildId: actor.guildId,
  isServerInstall: isServerInstall(actor),
});

const scopeOf = ({ isServerInstall, guildId }: Person): string => scopeName(isServerInstall ? guildId : null);

/** Makes the gate of an isolate, or of the object that hears messages. */
export function createGate(ports: GatePorts): Gate {
  const copies = new Map<string, Kept>();
  const reading = new Map<string, { at: number; copy: Promise<ScopeCopy | null> }>();
  const failedAt = new Map<string, number>();
  /** What the newest failure says. */
  let unreadable: "unchecked" | "allowance_used_up" = "unchecked";

  // One from a time that lies ahead was read before the clock was set back.
  const isFresh = (kept: Kept | undefined) => kept !== undefined && Math.abs(ports.now() - kept.at) < COPY_LIFE_MS;
  const keep = (scope: string, copy: ScopeCopy) => {
    copies.delete(scope);
    copies.set(scope, { copy, at: ports.now() });
    for (const oldest of copies.keys()) if (copies.size > MAX_COPIES) copies.delete(oldest);
  };
  /** One request for all who wait for the same copy. Null: the scope can't be reached. */
  const read = (scope: string, channelId: string): Promise<ScopeCopy | null> => {
    const underWay = reading.get(scope);
    // It belongs to the request that began it: if that one is cancelled, it never settles, and neither does its limit.
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
      // The server's own object passes it on, so that it keeps no copy from before for those who ask it next.
      await ports.scope(scope).claim(guildId);
      const claimed = { ...copy, server: { isClaimed: true, denied: null } };
      keep(scope, claimed);
      return claimed;
    } catch (error) {
      // The owner gets in all the same, and claims the server with their next word.
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
      // A copy that can't be read again stays in use.
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

/** No one knows whether the person may: the scope could not be asked. */
export const UNREAD: ReadonlySet<AccessRefusal["reason"]> = new Set(["unchecked", "allowance_used_up"]);

/** The copy without a pause: messages are heard, or not, as they would be without it. */
const withoutPause = (copy: ScopeCopy): ScopeCopy => ({ ...copy, isPaused: false });
