// What the runtime of laptop mode asks by itself, and what it has read for it: `wrangler dev` connects to this computer's network, too, and
// can't see what a name leads to.

/** Names the request's real address, proves who asks, and says in an answer why there is none. */
export const [TARGET, READER_KEY, REFUSED] = ["x-parley-target", "x-parley-key", "x-parley-refused"];

/** Where requests are read, and the word that opens it. */
export interface Reader {
  url: string;
  key: string;
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

const DEFAULT_PORT: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const placeOf = ({ hostname, port, protocol }: URL): string => `${hostname}:${port || DEFAULT_PORT[protocol]}`;

/** The places, each `host:port`, that a configuration names anywhere in it: whoever runs the bot chose them. */
export function placesIn(config: unknown): Set<string> {
  if (typeof config === "string")
    return new Set(/^https?:\/\//.test(config) && URL.canParse(config) ? [placeOf(new URL(config))] : []);
  if (config instanceof Set) return new Set([...config].map(String));
  const parts = typeof config === "object" && config !== null ? Object.values(config) : [];
  return new Set(parts.flatMap((part) => [...placesIn(part)]));
}

/**
 * Sends requests as `direct` does, but has those read that go to a name which the configuration does not have. These follow no redirect by
 * themselves, because each address is judged by its letters before; an address in figures says where it leads. Rejects as a connection that
 * failed does.
 */
export const throughReader =
  (direct: Fetch, { url, key }: Reader, places: ReadonlySet<string>): Fetch =>
  async (asked, init) => {
    const target = new URL(asked instanceof Request ? asked.url : asked);
    const isName = /[a-z]/i.test(target.hostname) && !target.hostname.startsWith("[");
    if (!isName || init?.redirect !== "manual" || places.has(placeOf(target))) return direct(asked, init);
    const headers = new Headers(init.headers);
    headers.set(TARGET, target.href);
    headers.set(READER_KEY, key);
    const answer = await direct(url, { ...init, headers });
    const why = answer.headers.get(REFUSED);
    if (why !== null) throw new Error(decodeURIComponent(why));
    return answer;
  };
