// Tool: the current date and time in a time zone.
import { describe, object, optional, string } from "zod/mini";
import { defineTool } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Uses only the call's own `now`. May run twice. */
export const getCurrentTime = defineTool({
  name: "get_current_time",
  description:
    "Returns the current date and time, in UTC or in a time zone. Use it whenever the answer depends on the current time, or on the date anywhere outside UTC.",
  input: object({
    timezone: optional(
      string().check(describe("IANA time zone such as Asia/Tokyo or America/New_York; UTC if omitted.")),
    ),
  }),
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.get_current_time,
  execute({ timezone }, { now, locale }) {
    const zone = timezone?.trim() || "UTC";
    const text = inZone(new Date(now), zone, locale);
    if (text === null) return { ok: false, error: `"${zone}" is not an IANA time zone; write it like Asia/Tokyo` };
    return { ok: true, data: { iso: new Date(now).toISOString(), timezone: zone, formatted: text } };
  },
});

function inZone(date: Date, timeZone: string, locale: string): string | null {
  const options: Intl.DateTimeFormatOptions = { dateStyle: "full", timeStyle: "long", timeZone };
  // Intl offers no way to check whether it knows a zone or a locale: it throws a RangeError.
  for (const language of [locale, "en-US"]) {
    try {
      return new Intl.DateTimeFormat(language, options).format(date);
    } catch {}
  }
  return null;
}
