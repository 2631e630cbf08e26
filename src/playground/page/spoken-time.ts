// Formats a time as Discord does: the date and hour, or how far away it is. Builds no DOM.

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** The styles of a time (docs: reference, "Timestamp Styles"). */
const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { year: "numeric", month: "2-digit", day: "2-digit" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

/** Formats a time in one of Discord's styles; with `R`, how far away it is. `locale`: by default the reader's. */
export const speakStamp = (seconds: number, style = "f", locale?: string): string =>
  style === "R"
    ? speakRelative(seconds, Date.now() / 1000)
    : new Date(seconds * 1000).toLocaleString(locale, STYLES[style]);

/** Replaces every time mark in a text with words. */
export const speakStamps = (text: string, speak = speakStamp): string =>
  text.replace(/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/g, (_, seconds, style) => speak(Number(seconds), style));

/** Formats a time as "in 5 minutes" or "2 days ago", in the largest unit that fits. Both arguments are in seconds. */
export function speakRelative(seconds: number, now: number): string {
  const away = seconds - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(away) >= size) ?? ["second", 1];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(away / length), unit);
}
