// The texts that the inspector's pages share, and those of its home page and a channel's page, for the bot's owner.
import type { TurnState, TurnStatus } from "../state/record.ts";
import { moneyText } from "./money.ts";

/** Writes a number with thousands separators. */
export const numberText = (value: number): string => value.toLocaleString("en");
/** Writes a count: `1 turn`, `2 turns`. */
export const countedText = (count: number, one: string): string =>
  `${numberText(count)} ${one}${count === 1 ? "" : "s"}`;

/** Writes a duration, to about three digits. */
export function lengthText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_950 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** Writes a time as `2026-11-22 16:07:03` (UTC). */
export const timeText = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ");

/** Writes a size in bytes. */
export const sizeText = (bytes: number): string =>
  bytes < 10_000 ? countedText(bytes, "byte") : `${numberText(Math.round(bytes / 1000))} KB`;

/** Writes an amount of money; a dash if no price is known. `unpriced`: the tokens without one. */
export const costText = (microUsd: number | undefined, unpriced?: number): string =>
  microUsd === undefined ? "–" : moneyText(microUsd, unpriced);

/** Writes a day: today, yesterday, or the day itself. `day` and `today`: `2026-11-22`. */
export function dayText(day: string, today: string): string {
  if (day === today) return "today";
  return Date.parse(today) - Date.parse(day) === 86_400_000 ? "yesterday" : day;
}

/** How a turn ended, or what it is doing now. */
export const turnStates: Record<TurnStatus | TurnState, string> = {
  completed: "answered",
  error: "failed",
  timeout: "hit a limit",
  empty_response: "empty answer",
  stopped_by_user: "stopped",
  follow_up_interrupt: "interrupted",
  cleared: "cleared",
  superseded: "replaced",
  steered: "joined another turn",
  queued: "queued",
  running: "running",
  parked: "needs approval",
  closing: "closing",
  finished: "finished",
  refused: "refused",
};

/** The page that asks for the token, and the answers without one. */
export const signInText = {
  title: "Sign in",
  label: "Token",
  hint: "The value of INSPECT_TOKEN, which the bot's owner has set.",
  button: "Open the inspector",
  wrong: "That is not the token. Use the value of INSPECT_TOKEN.",
  tooMany: "Too many tries from your address. Try again in a minute.",
};

/** For pages that can't be shown. */
export const missingText = {
  title: "Not found",
  page: "There is no such page. Use the link at the top to start over.",
  turn: "There is no such turn. It may have been deleted because of its age, or it is in another channel.",
  unreachableTitle: "Not reachable",
  unreachable: "A part of the bot did not answer. Reload the page to try again.",
};

/** Texts that several pages share. */
export const sharedText = {
  name: "Parley inspector",
  json: "JSON",
  copyJson: "Copy as JSON",
  copied: "Copied",
  live: "Live",
  paused: "Live updates have ended. Reload the page to continue.",
  none: "–",
  skip: "Skip to the content",
  path: "Where you are",
  person: "Person",
  status: "Status",
  question: "Question",
  model: "Model",
  duration: "Duration",
  tokens: "Tokens",
  money: "Money",
  tools: "Tools",
  takeovers: "Takeovers",
  channel: "Channel",
  channelName: (name: string, personId?: string) => `#${name}${personId === undefined ? "" : ` with ${personId}`}`,
  started: "Asked",
  privateTurn: "Private",
  reminder: "Reminder",
  utc: "All times are UTC.",
};

/** The home page. Turns that failed before they cost anything appear only among the failures: they don't count as answers, as in `/bot usage`. */
export const homePageText = {
  title: "Overview",
  today: "Answers today",
  month: "Answers in 30 days",
  moneyToday: "Money today",
  moneyMonth: "Money in 30 days",
  tokensMonth: "Tokens in 30 days",
  gateway: (state: string) => `Discord's Gateway: ${state}`,
  running: "Running now",
  noneRunning: "No turn is running.",
  queues: "Longest queues",
  noQueues: "No turn is waiting.",
  waiting: (count: number) => `${numberText(count)} waiting`,
  failures: "Failures of the last 24 hours",
  noFailures: "No turn failed.",
  reason: "Reason",
  count: "Turns",
  money: "Money by day",
  tokens: "Tokens by day",
  chart: (what: string, days: number, highest: string) =>
    `${what}: a bar for each of the last ${countedText(days, "day")}; the highest is ${highest}.`,
  bar: (day: string, amount: string, answers: number) => `${day}: ${amount}, ${countedText(answers, "answer")}`,
  asTable: "The same as a table",
  day: "Day",
  answers: "Answers",
  servers: "Servers and channels",
  server: (called: string) => `Server ${called}`,
  outside: "Outside servers",
  lastTurn: "Last turn",
  now: "Now",
  failed: (count: number) => `${numberText(count)} failed in 24 hours`,
  notListed: "The channels of this server could not be read, or there are none.",
  nothing: "No turn ended in the last 30 days. Ask something in Discord with /chat, then reload this page.",
  channelsNotAsked: (asked: number, rest: number) =>
    `Running turns, queues and failures are from the ${countedText(asked, "channel")} used last. Not included: ${countedText(rest, "more channel")}.`,
  moreChannels: (count: number) => `Not listed: ${countedText(count, "more channel")}.`,
  moreServers: (count: number) => `Not listed: ${countedText(count, "more server")}.`,
};

/** A channel's page. */
export const channelText = {
  title: (channel: string) => `Channel ${channel}`,
  server: "Server",
  directMessages: "none (direct messages or a conversation between people)",
  parent: "Thread of",
  queued: "Waiting turns",
  parked: "Turns that need approval",
  memories: "Remembered facts",
  summarized: "Messages in the summary",
  inDiscord: "Open in Discord",
  running: "Running now",
  turns: "Turns",
  anyStatus: "Any status",
  personId: "Person's id",
  filter: "Filter",
  clear: "Show all turns",
  noTurns: "No turn matches.",
  older: "Older turns",
  newest: "Newest turns",
  settings: "Settings",
  setting: "Setting",
  value: "Value",
  source: "Comes from",
  reminders: "Reminders",
  noReminders: "No reminder is pending.",
  reminderNumber: "Number",
  due: "Next time",
  paused: "paused",
  repeats: "Repeats",
  yes: "yes",
  no: "no",
};
