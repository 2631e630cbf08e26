// The `fetch` of the tools in laptop mode. `wrangler dev` can also reach this computer's network, and can't see which address a name resolves
// to, so the page's server reads pages for it (reader.ts).
import { isExempt } from "../tools/web/public-url.ts";

/** Headers: the request's real address, the key of the asker, and, in an answer, why the request failed. */
export const [TARGET, READER_KEY, REFUSED] = ["x-parley-target", "x-parley-key", "x-parley-refused"];

/** The address of the reader, and its key. */
export interface Reader {
  url: string;
  key: string;
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Sends requests to host names through the reader. `direct` sends the others: to IP addresses, which were checked before, and to
 * `privateHosts`, each `host:port`. Follows no redirect. Rejects like a failed connection.
 */
export const throughReader =
  (direct: Fetch, { url, key }: Reader, privateHosts: ReadonlySet<string>): Fetch =>
  async (asked, init) => {
    const target = new URL(asked instanceof Request ? asked.url : asked);
    const isName = /[a-z]/i.test(target.hostname) && !target.hostname.startsWith("[");
    if (!isName || isExempt(target, privateHosts)) return direct(asked, init);
    const headers = new Headers(init?.headers);
    headers.set(TARGET, target.href);
    headers.set(READER_KEY, key);
    const answer = await direct(url, { ...init, headers, redirect: "manual" });
    const why = answer.headers.get(REFUSED);
    if (why !== null) throw new Error(decodeURIComponent(why));
    return answer;
  };
