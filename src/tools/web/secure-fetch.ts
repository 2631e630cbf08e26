// Sends requests to remote servers that people added: checks the address of each request, and follows no redirect.
import { checkSecureUrl } from "./public-url.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Wraps a fetch so that it rejects with the reason if an address must not be requested. */
export const createSecureFetch =
  (ask: Fetch, privateHosts: ReadonlySet<string>): Fetch =>
  async (url, init) => {
    const checked = checkSecureUrl(url, privateHosts);
    if (!checked.ok) throw new Error(`its URL must not be requested: ${checked.reason}`);
    return ask(url, { ...init, redirect: "manual" });
  };
