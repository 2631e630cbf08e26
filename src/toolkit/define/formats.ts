// The formats of JSON Schema that a foreign schema may require. Each check takes time in proportion to its text. In doubt it accepts the
// text, because the tool itself knows better.

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const HOST = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
const MAILBOX = /^(?:"[^"]*"|(?!\.)(?!.*\.\.)[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?<!\.))$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)(?:\.(?!$)|$)){4}$/;
const DURATION = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

// For February 30 the parser returns another day, so the result is compared with the text.
const isDate = (text: string) =>
  DATE.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
const isReference = matches(/^(?:[\w\-.~:/?#[\]@!$&'()*+,;="]|%[\da-f]{2})*$/i);
const isIpv6 = (text: string) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);

function isMoment(text: string): boolean {
  const [date = "", time = "", more] = text.split(/t|\s/i);
  return more === undefined && isDate(date) && TIME.test(time);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const host = text.slice(at + 1);
  const [, address] = /^\[(?:ipv6:)?(.*)\]$/i.exec(host) ?? [];
  const isHost = address === undefined ? HOST.test(host) : IPV4.test(address) || isIpv6(address);
  return isHost && MAILBOX.test(text.slice(0, Math.max(0, at)));
}

/** Whether this is a regular expression as JSON Schema defines them. Browsers accept more. */
export function isStrictPattern(text: string): boolean {
  // There is no other way to find out: an invalid expression throws.
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false;
  }
}

/** Checks by format name whether a text has that format. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", isDate],
  ["time", matches(TIME)],
  ["date-time", isMoment],
  ["duration", matches(DURATION)],
  ["uri", (text: string) => SCHEME.test(text) && isReference(text)],
  ["uri-reference", isReference],
  ["email", isEmail],
  ["hostname", matches(HOST)],
  ["ipv4", matches(IPV4)],
  ["ipv6", isIpv6],
  ["regex", isStrictPattern],
  ["uuid", matches(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i)],
  ["json-pointer", matches(/^(?:\/(?:[^~/]|~[01])*)*$/)],
]);
