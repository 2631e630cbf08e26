// The way to remote servers that people added: each request's address is checked, and no redirect is followed.
import { checkSecureUrl } from "./public-url.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The same fetch, which rejects with the reason where an address must not be asked. */
export const createSecureFetch =
  (ask: Fetch, privateHosts: ReadonlySet<string>): Fetch =>
  async (url, init) => {
    const checked = checkSecureUrl(url, privateHosts);
    if (!checked.ok) throw new Error(`its address is not asked: ${checked.reason}`);
    return ask(url, { ...init, redirect: "manual" });
  };
