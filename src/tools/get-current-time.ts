// Tool: the current date and time in a time zone.
import { describe, object, optional, string } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";

/** Uses only the call's own `now`. May run twice. */
export const getCurrentTime = defineTool({
  name: "get_current_time",
  description:
    "Tells the current date and time, in UTC or in a time zone. Use it whenever the answer depends on the present day or hour; your own idea of the date is out of date.",
  input: object({
    timezone: optional(
      string().check(describe("IANA time zone such as Asia/Tokyo or America/New_York; UTC when left out.")),
    ),
  }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: {
    phrases: [
      "what time is it",
      "what time it is",
      "current time",
      "wie spät ist es",
      "qué hora es",
      "现在几点",
      "几点了",
      "今何時",
      "지금 몇 시",
      "지금 몇시",
    ],
    patterns: [
      "\\b(?:what's|whats|what is|tell me|give me) the (?:exact |local )?time(?:[?!.,]| now\\b| right now\\b| here\\b| there\\b| in | at | over |$)",
      "\\b(?:what|which) (?:day|date|weekday|month|year) (?:is it|is today|is tomorrow|are we|do we have)\\b",
      "\\b(?:what's|whats|what is) (?:today's|tomorrow's|the current|the) date(?: today| tomorrow| now)?[?!. ]*$",
      "\\bhow late is it(?:[?!.]| now\\b| here\\b| there\\b| over there\\b| in |$)",
      "\\bwie viel uhr\\b|\\b(?:welche|welcher|welches|welchen) (?:tag|datum|wochentag) (?:ist|haben)\\b",
      "\\bquelle heure est[- ]il\\b|\\bquel jour (?:est-on|sommes-nous)\\b",
      "今天(?:几号|星期几|周几)|今日は(?:何日|何曜日)|오늘 (?:며칠|무슨 요일)",
    ],
  },
  execute({ timezone }, { now, locale }) {
    const zone = timezone?.trim() || "UTC";
    const text = inZone(new Date(now), zone, locale);
    if (text === null) return { ok: false, error: `"${zone}" is no IANA time zone; write it like Asia/Tokyo` };
    return { ok: true, data: { iso: new Date(now).toISOString(), timezone: zone, formatted: text } };
  },
});

function inZone(date: Date, timeZone: string, locale: string): string | null {
  const options: Intl.DateTimeFormatOptions = { dateStyle: "full", timeStyle: "long", timeZone };
  // Intl can't be asked whether it knows a zone or a locale: it throws a RangeError.
  for (const language of [locale, "en-US"]) {
    try {
      return new Intl.DateTimeFormat(language, options).format(date);
    } catch {}
  }
  return null;
}
