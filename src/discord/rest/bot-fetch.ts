// Sends a request with the bot's own token.
import type { RestPorts } from "./rest.ts";
import { wireJson } from "./wire-json.ts";

/** The optional parts of a request. */
interface Sent {
  body?: object | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends it to a path of Discord's API. The ports must have the token. Rejects as their `fetch` does. */
export const fetchAsBot = (
  { fetch, baseUrl, userAgent, botToken }: Omit<RestPorts, "onLost">,
  method: string,
  path: string,
  { body, headers, signal }: Sent = {},
): Promise<Response> =>
  fetch(baseUrl + path, {
    method,
    headers: {
      "User-Agent": userAgent,
      Authorization: `Bot ${botToken}`,
      ...(body && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(signal && { signal }),
    ...(body && { body: wireJson(body) }),
  });
