// A time as Discord shows it: the date and hour, or how far away it is. Builds no DOM.

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

/** A time as a message's text names it, in the style that it asks for: with `R` how far away it is. `locale`: the reader's, unless given. */
export const speakStamp = (seconds: number, style = "f", locale?: string): string =>
  style === "R"
    ? speakRelative(seconds, Date.now() / 1000)
    : new Date(seconds * 1000).toLocaleString(locale, STYLES[style]);

/** The text with every time that Discord would draw in words. */
export const speakStamps = (text: string, speak = speakStamp): string =>
  text.replace(/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/g, (_, seconds, style) => speak(Number(seconds), style));

/** "in 5 minutes", "2 days ago", in the largest unit that fits. Both in seconds. */
export function speakRelative(seconds: number, now: number): string {
  const away = seconds - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(away) >= size) ?? ["second", 1];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(away / length), unit);
}
