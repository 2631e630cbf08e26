// Opens Parley's inspector for everyone at the playground: the launcher has chosen its token, so nobody is asked for it. Sends what a browser
// would send, and imports nothing from the product.

/** The bot, and the token of its inspector. Without a token there is no inspector. */
export interface InspectorParts {
  PARLEY: { fetch(request: Request): Promise<Response> };
  INSPECT_TOKEN?: string;
}

/** Well below the day after which the inspector's cookie expires. */
const COOKIE_LIFE_MS = 12 * 60 * 60_000;

/** Creates a function that sends requests to the inspector as somebody who is logged in. It keeps the cookie. */
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

/** Sends the form with the token, and returns the cookie. Null: there is no such form. */
async function readCookie(request: Request, { PARLEY, INSPECT_TOKEN = "" }: InspectorParts): Promise<string | null> {
  const form = { method: "POST", body: new URLSearchParams({ token: INSPECT_TOKEN }), redirect: "manual" } as const;
  const answer = await PARLEY.fetch(new Request(new URL("/inspect", request.url), form));
  return answer.headers.get("set-cookie")?.split(";")[0] ?? null;
}
