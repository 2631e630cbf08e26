// Tool: sets a reminder that starts its own turn when it is due, once or repeatedly.

import { describe, maxLength, minLength, object, optional, string, trim } from "zod/mini";
import { MIN_REMINDER_MS, REMINDER_CHARS, REMINDER_HORIZON_MS } from "../core/limits.ts";
import { nextOccurrence } from "../core/time/occurrence.ts";
import { readTime, type TimeProblem } from "../core/time/parse-time.ts";
import { isRepeating, type RuleProblem, readRule } from "../core/time/recurrence.ts";
import { isTimeZone } from "../core/time/zoned-time.ts";
import {
  defineTool,
  type Reminder,
  type SetReminder,
  type ToolOutcome,
  type ToolServices,
} from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Reads the time relative to the call's own `now`. May run twice: the same call finds the reminder that it set before. */
export const setReminder = defineTool({
  name: "set_reminder",
  description:
    "Sets a reminder for the person who asks: when it is due, you write to them in this channel, once or repeatedly. Use it whenever somebody wants to be reminded of something, to hear something later or to have something done regularly. Returns exactly when it is due; tell the person, with the given timestamp.",
  input: object({
    text: string().check(
      trim(),
      minLength(1),
      maxLength(REMINDER_CHARS),
      describe("What to remind them of, or to do, in their words and their language."),
    ),
    when: string().check(
      trim(),
      minLength(1),
      maxLength(100),
      describe(
        "When, in English or ISO 8601: in 20 minutes; tomorrow at 9; next friday 18:00; on 3 May; 2030-05-03T18:00. Repeating: every weekday at 9; every 2 hours; every monday and thursday at 18:00; every other friday; monthly on the 1st at 9.",
      ),
    ),
    timezone: optional(
      string().check(
        describe(
          "The person's IANA time zone such as Europe/Berlin. Without it, a clock time is taken as UTC, so ask for it unless the time is relative to now.",
        ),
      ),
    ),
  }),
  category: "async",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.set_reminder,
  requires: { botToken: true, services: ["reminders"] },
  objection({ when, timezone }, { now }) {
    const read = readWhen(when, zoneFrom(timezone), now);
    return read.ok ? null : read.error;
  },
  execute({ text, when, timezone }, { reminders, now, idempotencyKey }) {
    const zone = zoneFrom(timezone);
    const known = reminders.known(idempotencyKey);
    if (known) return describeReminder(known, zone, null);
    const read = readWhen(when, zone, now);
    if (!read.ok) return read;
    const { dueAt, edge, repeats } = read;
    const set = reminders.set({ key: idempotencyKey, text, dueAt, ...(repeats && { repeats }) });
    return set.ok ? describeReminder(set.reminder, zone, edge) : { ok: false, error: fullText(set) };
  },
});

/** Models fill in every field, so an empty zone counts as left out. */
const zoneFrom = (named = ""): string => named.trim() || "UTC";

/** When the reminder is due, and by which rule it repeats. */
type When = { dueAt: number; edge: keyof typeof EDGES | null; repeats?: NonNullable<WantedReminder["repeats"]> };
type WantedReminder = Parameters<ToolServices["reminders"]["set"]>[0];

function readWhen(when: string, zone: string, now: number): ({ ok: true } & When) | { ok: false; error: string } {
  const refuse = (error: string) => ({ ok: false, error }) as const;
  if (!isTimeZone(zone)) return refuse(`"${zone}" is not an IANA time zone; write it like Asia/Tokyo`);
  if (isRepeating(when)) {
    const read = readRule(when, now, zone);
    if (!read.ok) return refuse(RULE_PROBLEMS[read.problem](when));
    const { rule } = read;
    const every = `${when.toLowerCase()}${rule.unit === "ms" ? "" : ` (${zone})`}`;
    return { ok: true, dueAt: nextOccurrence(rule, now), edge: null, repeats: { rule, every } };
  }
  const read = readTime(when, now, zone);
  if (!read.ok) return refuse(PROBLEMS[read.problem](when));
  if (read.at < now + MIN_REMINDER_MS) return refuse("a reminder must be at least one minute ahead");
  if (read.at > now + REMINDER_HORIZON_MS) return refuse("a reminder can be at most one year ahead");
  return { ok: true, dueAt: read.at, edge: read.edge };
}

function describeReminder(
  { number, text, dueAt, every }: Reminder,
  timeZone: string,
  edge: keyof typeof EDGES | null,
): ToolOutcome {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone });
  return {
    ok: true,
    data: {
      number,
      text,
      dueAt: new Date(dueAt).toISOString(),
      inZone: `${format.format(dueAt)} (${timeZone})`,
      timestamp: `<t:${Math.floor(dueAt / 1000)}:F>`,
      ...(every !== undefined && { every, comes: "repeatedly; dueAt is the next time" }),
      ...(edge ? { note: EDGES[edge] } : {}),
    },
  };
}

const PROBLEMS: Record<TimeProblem, (when: string) => string> = {
  not_understood: (when) =>
    `"${when}" is not a time I can read; write it like "in 20 minutes", "tomorrow at 9", "next friday 18:00", "3 May 14:30" or 2030-05-03T18:00`,
  past: (when) => `"${when}" is in the past`,
  no_such_date: (when) => `there is no such day or hour as "${when}"`,
};

const RULE_PROBLEMS: Record<RuleProblem, (when: string) => string> = {
  not_understood: (when) =>
    `"${when}" is not a rule I can read; write it like "every weekday at 9", "every 2 hours", "every monday and thursday at 18:00", "every 2 weeks on friday" or "monthly on the 1st at 9"`,
  too_often: () => "the times must be at least 30 minutes apart",
  too_rare: () => "the times can be at most one year apart",
};

const EDGES = {
  skipped: "the clocks go forward past that time, so it comes later by the clock",
  repeated: "that time comes twice on that day; the first one counts",
};

function fullText(refused: Extract<SetReminder, { ok: false }>): string {
  if (refused.full === "chain") return "this turn answers a reminder, and a reminder can't set another one";
  const { full, limit } = refused;
  if (full === "tasks") return `this person has ${limit} repeating reminders, the maximum; one must be canceled first`;
  const whose = full === "person" ? "this person has" : "this channel has";
  return `${whose} ${limit} reminders, the maximum; one must come due or be canceled first`;
}
