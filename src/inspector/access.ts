// Decides who may look: whoever knows INSPECT_TOKEN. A form exchanges it for a cookie that lasts a day; programs send it as a bearer token. Nothing
// is stored: the cookie contains the time of its end, signed with INSPECT_TOKEN, so a new INSPECT_TOKEN ends all cookies.

/** A cookie is valid for a day. */
const COOKIE_LIFE_MS = 86_400_000;
const COOKIE = "parley_inspect";
/** A form with a token is never longer. */
const MAX_FORM_CHARS = 4096;

/** Builds the value of `Set-Cookie` for someone who has entered the token. */
export async function makeCookie(token: string, now: number): Promise<string> {
  const until = now + COOKIE_LIFE_MS;
  const value = `${until}.${await sign(token, until)}`;
  return `${COOKIE}=${value}; Path=/inspect; Max-Age=${COOKIE_LIFE_MS / 1000}; Secure; HttpOnly; SameSite=Strict`;
}

/** Whether the request has a cookie that was signed with this token and has not expired. */
export async function hasCookie(request: Request, token: string, now: number): Promise<boolean> {
  const cookies = request.headers.get("Cookie")?.split(/;\s*/) ?? [];
  const value = cookies.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? "";
  const [, until = "", signature = ""] = /^(\d{1,16})\.([\w-]{43})$/.exec(value) ?? [];
  return Number(until) > now && isSame(signature, await sign(token, Number(until)));
}

/** Reads a request's bearer token; null if it has none. */
export const readBearer = (request: Request): string | null =>
  /^Bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? null;

/** Reads the token from the form; empty if there is none. A body that is too long can't be the form's, so only its beginning is read. */
export async function readForm({ body }: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_FORM_CHARS) return "";
  }
  return new URLSearchParams(text).get("token")?.trim() ?? "";
}

/** Whether this is the token. Compares signatures made with both, so that the time of the comparison reveals nothing about the token. */
export const isToken = async (given: string, token: string): Promise<boolean> =>
  given !== "" && isSame(await sign(given, 0), await sign(token, 0));

/** Returns whose tries are counted together: an IPv4 address, or the IPv6 network of one customer, who has all addresses in it. */
export function addressOf(request: Request): string {
  const address = request.headers.get("CF-Connecting-IP") ?? "";
  // The short form of an IPv6 address may leave out zeros of its network, so they are filled in first.
  const whole = address.replace("::", `${":0".repeat(Math.max(0, 9 - address.split(":").length))}:`);
  return whole.includes(":") ? whole.split(":").slice(0, 4).join(":") : address;
}

function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

async function sign(token: string, until: number): Promise<string> {
  const text = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", text.encode(token), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, text.encode(`inspect ${until}`));
  return btoa(String.fromCharCode(...new Uint8Array(signature)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
