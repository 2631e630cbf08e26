// Parley's inspector, opened for whoever is at the playground: the launcher has chosen its token, and so nobody is asked for it. Says
// to it what a browser would say; nothing of the product is imported.

/** The bot, and the token of its inspector; without one it has none. */
export interface InspectorParts {
  PARLEY: { fetch(request: Request): Promise<Response> };
  INSPECT_TOKEN?: string;
}

/** Long before the inspector's cookie of a day ends. */
const COOKIE_LIFE_MS = 12 * 60 * 60_000;

/** Asks the inspector as somebody who has given its token. The cookie for it is kept. */
export function openInspector(now: () => number): (request: Request, parts: InspectorParts) => Promise<Response> {
  let cookie: string | null = null;
  let until = 0;
  return async (request, parts) => {
    if (parts.INSPECT_TOKEN === undefined || request.method !== "GET") return parts.PARLEY.fetch(request);
    if (cookie === null || now() > until) {
      cookie = await readCookie(request, parts);
      until = now() + COOKIE_LIFE_MS;
    }
    const headers = new Headers(request.headers);
    if (cookie !== null) headers.set("cookie", cookie);
    return parts.PARLEY.fetch(new Request(request, { headers }));
  };
}

/** Sends the form with the token. Null where there is no such form. */
async function readCookie(request: Request, { PARLEY, INSPECT_TOKEN = "" }: InspectorParts): Promise<string | null> {
  const form = { method: "POST", body: new URLSearchParams({ token: INSPECT_TOKEN }), redirect: "manual" } as const;
  const answer = await PARLEY.fetch(new Request(new URL("/inspect", request.url), form));
  return answer.headers.get("set-cookie")?.split(";")[0] ?? null;
}
