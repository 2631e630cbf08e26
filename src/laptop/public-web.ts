// The web as the tools of laptop mode reach it: `wrangler dev` connects to this computer's network, too, and can't see what a name leads to,
// so it has pages read.
import { isExempt } from "../tools/web/public-url.ts";

/** Names the request's real address, proves who asks, and says in an answer why there is none. */
export const [TARGET, READER_KEY, REFUSED] = ["x-parley-target", "x-parley-key", "x-parley-refused"];

/** Where requests are read, and the word that opens it. */
export interface Reader {
  url: string;
  key: string;
}

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Has a request to a name read; `direct` sends those to an address in figures, which says where it leads and was judged before, and to
 * `privateHosts`, each `host:port`. No redirect is followed. Rejects as a connection that failed does.
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
