// Harness: the local Discord, the Worker's application, and behind it a channel's object that only records its calls and gives scripted
// answers. Use it to test what the endpoint parses, answers and passes on.
import { type AppPorts, createApp } from "../../src/app.ts";
import { explainSettings } from "../../src/channel/explain-settings.ts";
import { parseConfig } from "../../src/config.ts";
import type { Viewer } from "../../src/core/state/private-turns.ts";
import type { ScopeNote } from "../../src/core/state/rpc.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";
import type { FindScope } from "../../src/discord/answers/scope-port.ts";
import type { Interact } from "../../src/playground/discord/acts.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";

import { notInspected, openScopes } from "./scopes.ts";

/** The methods that do something, and those that only read. */
type Asked =
  | "status"
  | "summary"
  | "reset"
  | "settings"
  | "explain"
  | "history"
  | "personas"
  | "recentTurns"
  | "reminders";
type Told = Exclude<keyof ChannelPort, Asked | "usage" | "wasUsedBefore" | "leaveServer" | "exportPerson">;
/** A call of a method that does something: the method's name and its first argument. */
type Telling = { [Method in Told]: { [M in Method]: Parameters<ChannelPort[M]>[0] } }[Told];
type Answer<Method extends keyof ChannelPort> = Awaited<ReturnType<ChannelPort[Method]>>;

/** The time of everything here. */
export const NOW = Date.UTC(2030, 0, 1);

/** A complete configuration. */
export const VARIABLES = {
  DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
  DISCORD_APPLICATION_ID: APPLICATION.id,
  DISCORD_API_BASE_URL: "http://127.0.0.1:1/api/v10",
  OPENAI_API_KEY: "the-key",
};
/** The object's answer to `status`. */
export const NOTHING_RUNS: Answer<"status"> = { running: null, queue: [PEOPLE.mira], parked: [] };

/** The object's personas. */
const PERSONAS: Answer<"personas"> = {
  personas: [
    { name: "Ada", prompt: "You are exact.", avatarUrl: null },
    { name: "Bob", prompt: "You are loud.", avatarUrl: "https://example.org/bob.png" },
  ],
  inUse: "Bob",
};
/** The object's newest turns. */
export const TURNS: Answer<"recentTurns"> = [
  { turnId: "77", userName: "Mira", text: "what is new?", state: "finished", status: "completed" },
  { turnId: "76", userName: "Theo", text: "dice, please", state: "finished", status: "stopped_by_user" },
];
/** The object's answer to `usage`. */
export const USAGE: Answer<"usage"> = {
  used: {
    user: { turns: 1, tokens: 1200, inputTokens: 1000, cachedInputTokens: 800, microUsd: 12_345 },
    channel: { turns: 40, tokens: 90_000, inputTokens: 60_000, microUsd: 1_499_999, unpriced: 300 },
  },
  limits: { user: { turns: 10, tokens: 0 }, channel: { turns: 0, tokens: 1_000_000, microUsd: 2_500_000 } },
  resetsAt: NOW,
  acrossServer: { userMicroUsd: 3_000_000, serverMicroUsd: 500_000_000 },
};

/** The object's answer to `aboutPerson`. */
export const KEPT: Answer<"aboutPerson"> = { questions: 4, messages: 9, memories: 2, reminders: 1, keepDays: 30 };

/** The object's tools. */
export const TOOLS: Answer<"tools"> = {
  active: true,
  tools: [
    { name: "pin_message", category: "dangerous", missing: ["a bot token"], exposed: null, turnsLeft: 0 },
    { name: "recall", category: "safe", missing: [], exposed: { trigger: "^", source: "custom" }, turnsLeft: 0 },
    { name: "roll_dice", category: "safe", missing: [], exposed: { trigger: "x", source: "follow-up" }, turnsLeft: 3 },
    { name: "web_search", category: "async", missing: [], exposed: null, turnsLeft: 0 },
  ],
};

/** A call that reached an object, and which object. */
export type Call = { to: string } & (Telling | { ask: Asked } | { ask: "usage"; userId: string });

/** The application and everything that a test looks at. */
export interface Scene {
  discord: LocalDiscord;
  /** The calls that reached a channel's object, in order. */
  calls: Call[];
  /** Who asked for traces, in order. */
  viewers: (Viewer | undefined)[];
  /** The interaction ids by which objects recognize a repeated call of a rarely used command. */
  repeatable: (string | undefined)[];
  /** The server's facts that came with each request for settings or limits, in order. */
  scopeNotes: (ScopeNote | undefined)[];
  /** What was logged, in order. */
  errors: unknown[];
  /** The runtime's rate limiter for people who are refused. */
  limiter: { isOver: boolean };
  /** The objects, for callers that don't use the routes. */
  channel: AppPorts["channel"];
  dispatch(request: Request): Promise<Response>;
  /** A person does something. Returns the Worker's answer as JSON. */
  answered(act: Interact): Promise<unknown>;
}

/**
 * Makes a scene. An Error as an answer stands for an object that can't be reached. After the given receipts, everything is
 * accepted.
 */
export function scene(
  answers: {
    /** A promise that never settles stands for an object that hangs. */
    receipts?: (Answer<"submit"> | Promise<Answer<"submit">> | Error)[];
    stop?: Answer<"stop"> | Error;
    approve?: Answer<"approve"> | Error;
    resume?: Answer<"resume"> | Error;
    remove?: Answer<"remove"> | Error;
    change?: Answer<"change">;
    summary?: NonNullable<Answer<"summary">>;
    /** The rule that a setting breaks when it is checked. */
    rule?: string;
    history?: Answer<"history">;
    personas?: Error;
    /** A promise that never settles stands for an object that hangs. */
    settings?: Promise<Answer<"settings">> | Error;
    persona?: Answer<"changePersona">;
    deliberate?: Answer<"deliberate">;
    reminders?: Answer<"reminders">;
    cancel?: Answer<"cancelReminder">;
    trace?: NonNullable<Answer<"trace">>;
    turns?: Answer<"recentTurns">;
    /** What the Worker reads for an owner's `/health`. */
    fetch?: AppPorts["fetch"];
    variables?: object;
    scope?: FindScope;
    gatewayStatus?: AppPorts["gatewayStatus"];
    /** Fields of the object's status; by default nothing runs. */
    status?: Partial<Answer<"status">>;
    now?: () => number;
    after?: AppPorts["after"];
  } = {},
): Scene {
  const calls: Call[] = [];
  const errors: unknown[] = [];
  const limiter = { isOver: false };
  const { now = () => NOW } = answers;
  const viewers: (Viewer | undefined)[] = [];
  const repeatable: (string | undefined)[] = [];
  const scopeNotes: Scene["scopeNotes"] = [];
  const receipts = [...(answers.receipts ?? [])];
  const or = <Given>(answer: Given | Promise<Given> | Error): Promise<Given> =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  const channel: AppPorts["channel"] = (to) => ({
    submit(submit) {
      calls.push({ to, submit });
      return or(receipts.shift() ?? { kind: "accepted" });
    },
    stop(stop) {
      calls.push({ to, stop });
      return or(answers.stop ?? { result: "already_finished" });
    },
    approve(approve) {
      calls.push({ to, approve });
      return or(answers.approve ?? { result: "nothing_asked" });
    },
    resume(resume) {
      calls.push({ to, resume });
      return or(answers.resume ?? { result: "complete" });
    },
    remove(remove) {
      calls.push({ to, remove });
      return or(answers.remove ?? { result: "deleted" });
    },
    again(again) {
      calls.push({ to, again });
      return or(receipts.shift() ?? { kind: "accepted" });
    },
    status() {
      calls.push({ to, ask: "status" });
      return Promise.resolve({ ...NOTHING_RUNS, ...answers.status });
    },
    summary() {
      calls.push({ to, ask: "summary" });
      return Promise.resolve(answers.summary ?? null);
    },
    compact(compact, owner) {
      calls.push({ to, compact, ...(owner && { owner }) });
      return Promise.resolve({ result: "planned", messages: 34 });
    },
    reset(interactionId) {
      repeatable.push(interactionId);
      calls.push({ to, ask: "reset" });
      return Promise.resolve(12);
    },
    forgetPerson(userId) {
      calls.push({ to, forgetPerson: userId });
      return Promise.resolve({ messages: 4, memories: 1, reminders: 2 });
    },
    aboutPerson(userId) {
      calls.push({ to, aboutPerson: userId });
      return Promise.resolve(KEPT);
    },
    exportPerson() {
      return Promise.resolve(null);
    },
    settings() {
      calls.push({ to, ask: "settings" });
      return or(answers.settings ?? { follow_up: "queue" });
    },
    explain(parent = {}, scope) {
      const server = scope?.settings ?? {};
      scopeNotes.push(scope);
      calls.push({ to, ask: "explain" });
      return Promise.resolve(explainSettings({ own: {}, parent, server, modelIds: ["default", "deep"] }));
    },
    personas() {
      calls.push({ to, ask: "personas" });
      return or(answers.personas ?? PERSONAS);
    },
    changePersona(change, _parent, interactionId) {
      repeatable.push(interactionId);
      calls.push({ to, changePersona: change });
      return Promise.resolve(
        answers.persona ?? { ok: false, fault: { fault: "unknown", name: change.name ?? "", known: [] } },
      );
    },
    trace(turnId, viewer) {
      viewers.push(viewer);
      calls.push({ to, trace: turnId });
      return Promise.resolve(answers.trace ?? null);
    },
    recentTurns(viewer) {
      viewers.push(viewer);
      calls.push({ to, ask: "recentTurns" });
      return Promise.resolve(answers.turns ?? TURNS);
    },
    reminders(viewer) {
      viewers.push(viewer);
      calls.push({ to, ask: "reminders" });
      return Promise.resolve(answers.reminders ?? []);
    },
    cancelReminder(number, viewer, interactionId) {
      repeatable.push(interactionId);
      viewers.push(viewer);
      calls.push({ to, cancelReminder: number });
      return Promise.resolve(answers.cancel ?? "not_found");
    },
    deliberate(deliberate) {
      calls.push({ to, deliberate });
      return or(answers.deliberate ?? { ok: false, rule: "The phrase is empty. Write a word." });
    },
    wasUsedBefore() {
      return Promise.resolve(false);
    },
    async leaveServer() {},
    tools(tools) {
      calls.push({ to, tools });
      return Promise.resolve(TOOLS);
    },
    usage(userId, _parent, scope) {
      scopeNotes.push(scope);
      calls.push({ to, ask: "usage", userId });
      return Promise.resolve(USAGE);
    },
    checkSetting(checkSetting) {
      calls.push({ to, checkSetting });
      return Promise.resolve(answers.rule ?? null);
    },
    history() {
      calls.push({ to, ask: "history" });
      return Promise.resolve(answers.history ?? []);
    },
    change(change) {
      calls.push({ to, change });
      return or(answers.change ?? { ok: false, rule: "`key` must be true or false." });
    },
  });
  const app = createApp({
    config: parseConfig(answers.variables ?? VARIABLES),
    variables: answers.variables ?? VARIABLES,
    channel,
    scope: answers.scope ?? openScopes(),
    inspected: notInspected,
    gatewayStatus: answers.gatewayStatus ?? (async () => "off"),
    countRefused: async () => !limiter.isOver,
    after: answers.after ?? (() => () => {}),
    fetch: answers.fetch ?? (async () => new Response(null, { status: 404 })),
    now,
    logError: (line, detail) => errors.push({ line, ...detail }),
  });
  let last: Response | null = null;
  const dispatch = async (request: Request) => {
    const response = await app.fetch(request);
    last = response.clone();
    return response;
  };
  const discord = createLocalDiscord({ now, dispatch });
  const answered = async (act: Interact) => {
    await discord.interact(act);
    return last?.json();
  };
  return { discord, calls, viewers, repeatable, scopeNotes, errors, limiter, channel, dispatch, answered };
}
