// Finds web addresses in texts and brings them into the one form in which they are compared. An address in which a model may have hidden
// what it knows differs from every address that it was given.

/** The platform's own parser, which also makes the requests. It is pure. */
declare const URL: {
  new (text: string): { readonly href: string; readonly host: string };
  canParse(text: string): boolean;
};

/** Returns the form that is compared: as the platform writes it, without its fragment, which no server sees. Null: not a web address. */
export function normalAddress(text: string): string | null {
  const whole = wholeAddress(text);
  return whole === null ? null : whole.replace(/#.*/s, "");
}

/** Returns the normal form with its fragment, which the page's own script sees in a browser. Null: not a web address. */
export function wholeAddress(text: string): string | null {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return null;
  // We check the parsed form and not the text, because the parser drops control characters, even within the scheme.
  const { href } = new URL(trimmed);
  return /^https?:/.test(href) ? href : null;
}

/** Whether two complete addresses have the same host and port. */
export const isSameHost = (one: string, other: string): boolean => new URL(one).host === new URL(other).host;

/** Returns the host of a web address, with its port. */
export const hostOf = (address: string): string => new URL(address).host;

const MAX_PLAIN_CHARS = 120;

/** Whether the address is short, without query and fragment: models know many of those by heart, and little can be hidden in one. */
export function isPlainAddress(address: string): boolean {
  const normal = normalAddress(address);
  return normal !== null && normal.length <= MAX_PLAIN_CHARS && !/[?#]/.test(address);
}

/** Longer addresses can't be read (src/tools/web/public-url.ts). */
const MAX_CHARS = 2048;
/** The most addresses that are read from one text; a page has hundreds. */
const MAX_ADDRESSES = 2000;
const SCHEME = /https?:\/\//gi;
/** How often each character of a text may be read, on average: an address within an address is read twice. */
const MAX_READS = 4;
/** At most `MAX_CHARS`: without a limit, each of many schemes in a row would read everything after it. */
const RUN = /[^\s<>"`\\^{}]{0,2048}/y;
/** A character that may end an address, but also the sentence or the brackets around it. */
const ENDS = /[.,;:!?'")\]*_~|]$/;
/** How many such characters may follow an address. If there are more, they belong to it. */
export const MAX_ENDS = 8;

/**
 * Returns the addresses in a text in their normal form; one with a fragment also with the fragment. If it is not clear which characters still
 * belong to an address, each reading of it counts as given. `looked` gets the number of characters that were read, for tests.
 */
export function addressesIn(text: string, looked: (chars: number) => void = () => {}): Set<string> {
  const found = new Set<string>();
  let left = MAX_READS * text.length;
  for (const { index } of text.matchAll(SCHEME)) {
    if (found.size >= MAX_ADDRESSES || left <= 0) break;
    RUN.lastIndex = index;
    const run = RUN.exec(text)?.[0] ?? "";
    left -= run.length;
    looked(run.length);
    addReadings(run, found);
  }
  return found;
}

function addReadings(run: string, found: Set<string>): void {
  // Other scripts end a sentence with their own characters and put no space after an address, so one reading ends at the first character
  // that isn't ASCII.
  const ascii = run.match(/^[!-~]*/)?.[0] ?? "";
  for (const whole of new Set([run, ascii, ascii.split(/[\])|]/)[0] ?? ""]))
    for (let reading = whole, ends = 0; ends <= MAX_ENDS; reading = reading.slice(0, -1), ends++) {
      for (const form of [normalAddress(reading), reading.includes("#") ? wholeAddress(reading) : null])
        if (form !== null) found.add(form);
      if (!ENDS.test(reading)) break;
    }
}

/** An address as people write it, without its scheme. A file's name may look like one, which does no harm. */
const BARE = /(?<![\w@./:-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{2,5})?(?:\/[^\s<>"`\\^{}]*)?/gi;

/** Returns the addresses in a person's own words, including those that they write without `https://`. */
export function addressesInWords(words: string): Set<string> {
  const found = addressesIn(words);
  for (const [bare] of words.matchAll(BARE)) {
    if (found.size >= MAX_ADDRESSES) break;
    for (const scheme of ["https://", "http://"]) addReadings(scheme + bare.slice(0, MAX_CHARS), found);
  }
  return found;
}

/**
 * Returns the addresses in a message that is, or may be, the bot's own. Only links count there: an address that a model made up after it had
 * read strangers' words is shown as text or code.
 */
export const addressesInAnswer = (answer: string): Set<string> => addressesIn(answer.replace(/`.*`/s, " "));

/** Returns the addresses in all strings of a JSON value. */
export function addressesInJson(value: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (one: unknown): void => {
    if (typeof one === "string") for (const address of addressesIn(one)) found.add(address);
    else for (const inner of Object.values(one ?? {})) visit(inner);
  };
  visit(value);
  return found;
}
