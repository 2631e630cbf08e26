// The settings of a server, a channel or a thread: their keys and their allowed values. setting-scopes.ts decides which value applies.

import type { FollowUpMode } from "../core/decisions/admission.ts";
import type { PingWhenDone } from "../core/decisions/ping.ts";
import type { KillPolicy } from "../core/decisions/stop.ts";
import { MAX_MESSAGES } from "../core/limits.ts";
import { DOLLAR } from "../core/money/price.ts";
import type { AccessLists } from "../core/state/access-lists.ts";
import type { AnswerTo } from "../core/state/answer-to.ts";
import {
  channel,
  dollars,
  isHigherLimit,
  isMore,
  listOf,
  modelName,
  oneOf,
  prose,
  type Rule,
  turnsOff,
  whole,
  yesOrNo,
} from "./setting-rules.ts";

/** What was set in one scope, as stored: key → text. */
export type StoredSettings = Record<string, string>;

/** A value for every setting. Null means that nothing was set. */
export interface SettingValues extends AccessLists {
  /** The id of the model that is tried first. */
  model: string | null;
  system_prompt: string | null;
  /** In a direct message every message is a question, unless this is `off`. */
  answer_to: AnswerTo;
  follow_up: FollowUpMode;
  kill_policy: KillPolicy;
  thought_log_channel: string | null;
  private: boolean;
  notices: boolean;
  link_previews: boolean;
  /** Whether the answer to a command begins with its question. */
  show_question: boolean;
  /** Whether each answer gets its own thread. */
  auto_thread: boolean;
  /** When an answer is followed by a message that pings its asker. */
  ping_when_done: PingWhenDone;
  max_messages: number;
  /** How many of the channel's newest messages a turn may overhear; 0 means none. */
  channel_context: number;
  /** How many days turns and messages are kept. */
  keep_days: number;
  /** 0 means no limit, here and in every other limit. */
  user_turns_per_day: number;
  user_tokens_per_day: number;
  channel_turns_per_day: number;
  channel_tokens_per_day: number;
  /** The next three are in micro-dollars. The first and the last one count across the channels of a server. */
  user_usd_per_day: number;
  channel_usd_per_day: number;
  server_usd_per_day: number;
  /** How often one person may ask in this channel. */
  turns_per_minute: number;
  /** Roles whose members approve dangerous tools, as moderators do. */
  approvers: readonly string[];
}

/** The name of a setting. */
export type SettingKey = keyof SettingValues;

/** The settings that apply in a channel. */
export interface Settings extends Omit<SettingValues, keyof AccessLists> {
  /** The lists of each scope that has one. A person must pass all of them. */
  access: readonly AccessLists[];
}

/** A longer prompt would leave too little of a small model's context window. */
const MAX_PROMPT_CODE_POINTS = 4000;
const MAX_TURNS = 1_000_000;
const MAX_TOKENS = 1_000_000_000;
const TURN_BUDGETS = ["0", "10", "50", "200"];
const MAX_TURNS_PER_MINUTE = 60;
const MAX_MICRO_USD = 1_000_000 * DOLLAR;
const MONEY_BUDGETS = ["0", "0.5", "2", "10"];
const TOKEN_BUDGETS = ["0", "50000", "200000", "1000000"];
const LIMIT = { fallback: 0, loosens: isHigherLimit, ownersOutside: true } as const;
const LIST = { fallback: [], allApply: true } as const;

/** Every setting by key. */
export const settingRules: { [Key in SettingKey]: Rule<SettingValues[Key]> } = {
  model: modelName({ fallback: null, ownersOutside: true }),
  system_prompt: prose(MAX_PROMPT_CODE_POINTS, { fallback: null, ownersOutside: true }),
  answer_to: oneOf(
    ["mention", "mention_and_reply", "thread", "off"],
    { fallback: "mention_and_reply" },
    { on: "mention_and_reply" },
  ),
  follow_up: oneOf(["interrupt", "queue", "steer"], { fallback: "interrupt" }),
  kill_policy: oneOf(["owner_or_moderator", "anyone"], { fallback: "owner_or_moderator" }),
  thought_log_channel: channel({ fallback: null, serverOnly: true }),
  private: yesOrNo({ fallback: false, serverOnly: true, loosens: turnsOff }),
  notices: yesOrNo({ fallback: true }),
  link_previews: yesOrNo({ fallback: false }),
  show_question: yesOrNo({ fallback: true, serverOnly: true }),
  auto_thread: yesOrNo({ fallback: false, serverOnly: true }),
  ping_when_done: oneOf(["never", "slow", "always"], { fallback: "slow" }),
  max_messages: whole(1, 10, ["1", "3", String(MAX_MESSAGES), "10"], { fallback: MAX_MESSAGES }),
  channel_context: whole(0, 50, ["0", "10", "20", "50"], { fallback: 20, serverOnly: true, loosens: isMore }),
  keep_days: whole(1, 365, ["7", "30", "90", "365"], { fallback: 30, loosens: isMore }),
  user_turns_per_day: whole(0, MAX_TURNS, TURN_BUDGETS, LIMIT),
  user_tokens_per_day: whole(0, MAX_TOKENS, TOKEN_BUDGETS, LIMIT),
  channel_turns_per_day: whole(0, MAX_TURNS, TURN_BUDGETS, LIMIT),
  channel_tokens_per_day: whole(0, MAX_TOKENS, TOKEN_BUDGETS, LIMIT),
  user_usd_per_day: dollars(MAX_MICRO_USD, MONEY_BUDGETS, LIMIT),
  channel_usd_per_day: dollars(MAX_MICRO_USD, MONEY_BUDGETS, LIMIT),
  server_usd_per_day: dollars(MAX_MICRO_USD, MONEY_BUDGETS, { ...LIMIT, serverOnly: true }),
  turns_per_minute: whole(0, MAX_TURNS_PER_MINUTE, ["0", "2", "5", "10"], { ...LIMIT, fallback: 5 }),
  allow_roles: listOf("roles", { ...LIST, serverOnly: true }),
  allow_users: listOf("people", LIST),
  deny_roles: listOf("roles", { ...LIST, serverOnly: true }),
  deny_users: listOf("people", LIST),
  approvers: listOf("roles", { fallback: [], serverOnly: true }),
};

/** The key of the person who set `thought_log_channel`. An older program didn't store it. */
export const THOUGHT_LOG_SETTER = "thought_log_setter";

/**
 * The key of the time (epoch milliseconds) at which a server's settings were last changed: endpoints keep copies for a minute, and of two
 * copies the later one counts. An older program didn't store it.
 */
export const CHANGED_AT = "changed_at";

/** Returns when these settings were last changed; 0 if no time is stored. */
export const changedAt = ({ [CHANGED_AT]: at = "0" }: Readonly<StoredSettings>): number => Number(at);

/** Every key, in the order in which people see them. */
export const settingKeys = Object.keys(settingRules) as SettingKey[];

/** Whether this is the name of a setting. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingRules, key);
