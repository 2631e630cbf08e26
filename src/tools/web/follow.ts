// Fetches one document from the web. Checks each address before requesting it, including every redirect, because the platform would
// follow redirects anywhere.
import { mayFollow } from "../../core/taint/taint.ts";
import type { ToolContext, ToolServices } from "../../toolkit/define/tool.ts";
import { checkUrl } from "./public-url.ts";

/** The response at the end of the redirects, or why an address was refused. */
export type Followed = { ok: true; url: URL; response: Response } | { ok: false; error: string };

const MAX_REDIRECTS = 5;
const MAX_QUOTED_CHARS = 200;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept: "text/html, text/plain;q=0.9, application/json;q=0.8, text/*;q=0.7, */*;q=0.1",
  "user-agent": "Mozilla/5.0 (compatible; Parley; +https://github.com/parley-bot/parley)",
};

const notRead = (which: string, reason: string): string => `${which} can't be read: ${reason}`;

/** Returns null for the error that workerd throws when a name can't be resolved; throws any other error again. */
const withoutName = (error: unknown): null => {
  if (error instanceof Error && error.message.startsWith("internal error; reference")) return null;
  throw error;
};

/** Returns why this address is never requested, or null. */
export function refuseAddress(address: string, privateHosts: ReadonlySet<string>): string | null {
  const checked = checkUrl(address, privateHosts);
  return checked.ok ? null : notRead("the URL", checked.reason);
}

/** Fetches `address`. Throws what the connection throws. May run twice: it only sends GET requests. */
export async function follow(
  address: string,
  web: Pick<ToolServices, "fetch" | "privateHosts"> & Pick<ToolContext, "beginning" | "taint">,
  signal: AbortSignal,
): Promise<Followed> {
  let next = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const checked = checkUrl(next, web.privateHosts);
    if (!checked.ok) {
      const which = redirects === 0 ? "the URL" : `its redirect to ${web.beginning(next, MAX_QUOTED_CHARS)}`;
      return { ok: false, error: notRead(which, checked.reason) };
    }
    const { url } = checked;
    const response = await web.fetch(url.href, { headers: HEADERS, redirect: "manual", signal }).catch(withoutName);
    if (response === null) return { ok: false, error: `${url.host} can't be reached` };
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return { ok: true, url, response };
    await response.body?.cancel();
    next = URL.parse(location, url.href)?.href ?? location;
    if (web.taint && URL.canParse(next) && !mayFollow(url.href, next, web.taint))
      return {
        ok: false,
        error: `its redirect to ${web.beginning(next, MAX_QUOTED_CHARS)} is not followed: it leads to another host; to read that, call this tool with that URL`,
      };
  }
  return { ok: false, error: `the URL redirects more than ${MAX_REDIRECTS} times` };
}
