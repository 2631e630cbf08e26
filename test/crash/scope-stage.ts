// The scopes of a crash scenario: what people do there, how their alarms run, and what must be true of them at the end.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { LEASE_MS } from "../../durable-objects/scope/usage.ts";
import { scopeName } from "../../src/core/access/scope-copy.ts";
import { UNAVAILABLE } from "../../src/core/copy/refusals.ts";
import { utcDay } from "../../src/core/money/lease.ts";
import { NO_USAGE, plusUsage, sumOf, type TurnReport } from "../../src/core/money/report.ts";
import type { ScopePort } from "../../src/discord/answers/scope-port.ts";
import { PLACES } from "../../src/playground/discord/world.ts";
import { TEST_EPOCH } from "../support/time.ts";
import { MIRA, type WorkerdHarness } from "../support/workerd-harness.ts";
import type { WorldScopes } from "../support/world-scopes.ts";
import { inside, runAlarm } from "../workers/arrange.ts";
import type { ScopeScenario, ScopeStage } from "./scenario.ts";

const SERVER_ID = PLACES.guild;
const SERVER = scopeName(SERVER_ID);
/** Longer than the first retries of a report and of forgetting a person. */
const RETRY_MS = 60_000;
const MAX_ROUNDS = 30;
const DAY_MS = 86_400_000;

type ScopeActions = Pick<ScopeStage, "askedElsewhere" | "forgetEverywhere" | "insists" | "exports" | "lendSlowly">;

/** What people do in a world with scopes. */
export function scopeActions(w: WorkerdHarness): ScopeActions {
  const insist = async (ask: (scope: ScopePort) => Promise<unknown>) => {
    const { scopes } = w;
    if (!scopes) throw new Error("this scenario has no scopes");
    for (let tries = 0; tries < 5; tries++) {
      const answer = await ask(scopes.stub(SERVER) as unknown as ScopePort).catch(() => null);
      if (answer !== null) return;
    }
    throw new Error("a scope never answers");
  };
  return {
    async askedElsewhere(as, channelIds) {
      const usage = { inputTokens: 5, outputTokens: 2, modelCalls: 1, microUsd: 7 };
      const sent = channelIds.map(
        (channelId): TurnReport => ({
          turnId: `in ${channelId}`,
          userId: as,
          channelId,
          guildId: SERVER_ID,
          at: w.time.now() - DAY_MS,
          usage,
        }),
      );
      w.scopes?.elsewhere.push(...sent);
      await insist((scope) => scope.report(sent));
    },
    async insists(as, command, options) {
      for (let tries = 0; tries < 5; tries++) {
        const { messageId } = await w.use(as, command, options);
        const shown = w.discord.messages(w.channelId, as).find(({ id }) => id === messageId);
        if (shown && shown.content !== UNAVAILABLE) return shown.content;
      }
      throw new Error(`/${command} is never answered`);
    },
    async exports(as) {
      for (let tries = 0; tries < 5; tries++) {
        const { died } = w.faults;
        const { messageId } = await w.use(as, "privacy export");
        const shown = () => w.discord.messages(w.channelId, as).find(({ id }) => id === messageId);
        const isOver = () => (shown()?.attachments.length ?? 0) > 0 || shown()?.content === UNAVAILABLE;
        // If a life ends before the file is sent, the person must ask again.
        await vi.waitUntil(() => isOver() || w.faults.died > died, { interval: 1, timeout: 120_000 });
        if ((shown()?.attachments.length ?? 0) > 0) return;
      }
      throw new Error("the file never comes");
    },
    lendSlowly() {
      if (w.scopes) w.scopes.slow.isOn = true;
      return () => (w.scopes?.slow.waiting ?? 0) > 0;
    },
    forgetEverywhere: (as) => insist((scope) => scope.forgetPerson(as, w.channelId)),
  };
}

/** Lets channels and scopes send everything that they still have to send: alarms run at their times, and time passes between them. */
export async function settleScopes(w: WorkerdHarness): Promise<void> {
  const { scopes } = w;
  if (!scopes) return;
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    // The check itself does not use up the time that a sender gets, however long a busy machine takes for it.
    if (await isAllSent(w, scopes)) return;
    if (await vi.waitUntil(() => isAllSent(w, scopes), { interval: 2, timeout: 50 }).catch(() => false)) return;
    w.time.jump(RETRY_MS);
    await runAlarm(w).catch(() => {});
    for (const name of scopes.reached()) await runDurableObjectAlarm(scopes.stub(name)).catch(() => {});
  }
  throw new Error("a scope never has everything");
}

async function isAllSent(w: WorkerdHarness, scopes: WorldScopes): Promise<boolean> {
  const isReported = await inside(w, ({ channel }) => !channel.ports.store.hasReports()).catch(() => false);
  const left = await Promise.all(scopes.reached().map((name) => readScope(scopes, name).catch(() => null)));
  return isReported && left.every((one) => one !== null && one.unsent + one.unforgotten === 0 && one.alarm === null);
}

/** Every turn is counted once, in its server and in the deployment; no lease outlives its turn, and nothing is left to do. */
export async function scopeFaults(w: WorkerdHarness, scenario: ScopeScenario): Promise<string[]> {
  const { forgets = [] } = scenario;
  const { scopes } = w;
  if (!scopes) return [];
  const turns = new Map([...w.reports, ...scopes.elsewhere].map((report) => [report.turnId, report]));
  const counted = [...turns.values()].filter(({ usage }) => usage.modelCalls > 0);
  const expected = counted.map(sumOf).reduce(plusUsage, NO_USAGE);
  const faults = await Promise.all(
    scopes.reached().map(async (name) => {
      const { sums, leases, latest, alarm } = await readScope(scopes, name);
      return [
        ...(JSON.stringify(sums) === JSON.stringify(expected)
          ? []
          : [`${name} counts ${JSON.stringify(sums)}, the turns used ${JSON.stringify(expected)}`]),
        ...(leases > 0 ? [`${name} holds ${leases} leases of turns that are over`] : []),
        ...(latest > w.time.now() + LEASE_MS ? [`${name} has lent something for too long`] : []),
        ...(alarm === null ? [] : [`${name} has an alarm left`]),
      ];
    }),
  );
  const missed = forgets.filter((one) => !scopes.forgotten.includes(one)).map((one) => `not forgotten: ${one}`);
  const remembered = await personFaults(w, scopes, scenario);
  return [...faults.flat(), ...missed, ...remembered, ...fileFaults(w, scenario)];
}

/**
 * Each fact is there once and belongs to its person, and people who wished it are left out. Of earlier days, the sums of forgotten people are
 * gone and all others are kept.
 */
async function personFaults(
  { time }: WorkerdHarness,
  scopes: WorldScopes,
  { facts = {}, leftOut = [], forgets = [] }: ScopeScenario,
): Promise<string[]> {
  const earlier = "SELECT DISTINCT id AS user_id FROM usage WHERE kind = 'user' AND day < ?";
  const kept = await runInDurableObject(scopes.stub(SERVER), (_, { storage }) => ({
    facts: storage.sql.exec("SELECT user_id, text FROM own_facts ORDER BY number").toArray(),
    leftOut: storage.sql.exec("SELECT user_id FROM left_out").toArray(),
    counted: storage.sql.exec(earlier, utcDay(time.now())).toArray(),
  }));
  const known = new Set(scopes.elsewhere.map(({ userId }) => userId));
  const isForgotten = (userId: string) => forgets.some((one) => one.startsWith(`${userId} in `));
  const wanted = {
    facts: Object.entries(facts).flatMap(([user_id, texts]) => texts.map((text) => ({ user_id, text }))),
    leftOut: leftOut.map((user_id) => ({ user_id })),
    counted: [...known].filter((userId) => !isForgotten(userId)).map((user_id) => ({ user_id })),
  };
  return JSON.stringify(kept) === JSON.stringify(wanted)
    ? []
    : [`people have ${JSON.stringify(kept)}, they wished ${JSON.stringify(wanted)}`];
}

/** Each file that came is complete; only its person sees it, and each request brought at most one. */
function fileFaults({ discord, channelId }: WorkerdHarness, { file }: ScopeScenario): string[] {
  if (!file) return [];
  const seenBy = (as: string) =>
    discord.messages(channelId, as).filter(({ attachments }) => attachments.some(({ filename }) => isExport(filename)));
  const files = seenBy(file.of).map(({ attachments }) => attachments.map(({ text = "" }) => text));
  return [
    ...(files.length === 0 ? ["no file came"] : []),
    ...(seenBy(MIRA).length > 0 ? ["somebody else sees the file"] : []),
    ...files.flatMap(([text = "", ...more]) => [
      ...(more.length > 0 ? ["a file came twice"] : []),
      ...(text.includes(file.without) ? ["the file has another person's words"] : []),
      ...wrongIn(text, file),
    ]),
  ];
}

const isExport = (filename: string) => filename === "parley-export.json";

function wrongIn(text: string, { questions, facts }: NonNullable<ScopeScenario["file"]>): string[] {
  const told = JSON.parse(text) as Exported;
  const asked = told.conversations.flatMap((one) => one.questions.map(({ question }) => question));
  const isWhole =
    told.conversationsNotInThisFile === 0 && told.ownFacts.map((fact) => fact.text).join() === facts.join();
  return isWhole && asked.sort().join() === [...questions].sort().join() ? [] : [`the file is not whole: ${text}`];
}

interface Exported {
  conversationsNotInThisFile: number;
  ownFacts: { text: string }[];
  conversations: { questions: { question: string }[] }[];
}

/** The alarm, unless it is days away: to delete what is too old, or to ask whether the bot is still in the server. */
const soon = (alarm: number | null): number | null =>
  alarm === null || alarm > TEST_EPOCH + 6 * DAY_MS ? null : alarm;

/** What a scope has stored. */
const readScope = (scopes: WorldScopes, name: string) =>
  runInDurableObject(scopes.stub(name), async (_, { storage }) => {
    const one = (query: string) => storage.sql.exec<Record<string, number>>(query).one();
    const of = (query: string) => one(query).n ?? 0;
    const sums = one(
      `SELECT coalesce(sum(turns), 0) AS turns, coalesce(sum(input), 0) AS inputTokens, coalesce(sum(cached), 0) AS cachedTokens,
         coalesce(sum(output), 0) AS outputTokens, coalesce(sum(micro_usd), 0) AS microUsd,
         coalesce(sum(unpriced), 0) AS unpricedTokens FROM usage WHERE kind = 'all'`,
    );
    return {
      sums,
      leases: of("SELECT count(*) AS n FROM leases WHERE turn_id IN (SELECT turn_id FROM reported)"),
      latest: of("SELECT coalesce(max(until), 0) AS n FROM leases"),
      unsent: of("SELECT count(*) AS n FROM outbox"),
      unforgotten: of("SELECT count(*) AS n FROM to_forget"),
      alarm: soon(await storage.getAlarm()),
    };
  });
