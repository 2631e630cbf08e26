// What an answer of Discord says that is not a success: its reason, and how long to wait.
import { readBucket, readLimit } from "./rate-limits.ts";
import type { RestResult } from "./rest.ts";

/** Discord explains a refusal in JSON. A page in its place is by a proxy before it, and says as little of the request as a fault does. */
const isByProxy = ({ status, headers }: Response): boolean =>
  [401, 403, 404].includes(status) && /^text\/html\b/.test(headers.get("content-type") ?? "");

/** Reads an answer that is not a success; `text` is its body. A proxy's refusal has the status 502. */
export function refusalFrom(response: Response, text: string): Extract<RestResult, { kind: "refused" }> {
  const json = parseJson(text);
  const { headers } = response;
  const status = isByProxy(response) ? 502 : response.status;
  return {
    ok: false,
    kind: "refused",
    status,
    code: Number(json?.code ?? 0),
    limit: status === 429 ? readLimit(headers, json) : null,
    text: text.slice(0, 500),
    bucket: readBucket(headers),
  };
}

/** Null for anything that is not a JSON object. */
export function parseJson(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
