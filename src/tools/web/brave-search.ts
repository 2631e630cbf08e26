// The Brave Search API: one GET with a key in a header (api-dashboard.search.brave.com/api-reference/web/search). For another engine,
// write another file that returns the same kind of answer.
import { array, type infer as Infer, nullish, object, string, unknown } from "zod/mini";
import { parseJson } from "../../core/json.ts";
import type { SearchHit, ToolServices } from "../../toolkit/define/tool.ts";
import { readBody, readRefusal } from "../../toolkit/run/http-answer.ts";
import { decodeEntities } from "./html-entities.ts";

/** The engine's address and the key of the account. */
export interface SearchAccount {
  apiKey: string;
  baseUrl: string;
}

const MAX_BYTES = 1024 * 1024;
/** The engine refuses longer queries with the same status as a wrong key. The first words show what is wanted. */
const MAX_WORDS = 50;

/**
 * Built only when needed: most installations have no key, and building schemas slows every cold start. The engine sends null for what it does not
 * have.
 */
const answerSchema = () => object({ web: nullish(object({ results: nullish(array(unknown())) })) });
const hitSchema = () =>
  object({ title: string(), url: string(), description: nullish(string()), age: nullish(string()) });

/** Creates a search with this account. The search throws what the connection throws, and may run twice. */
export function braveSearch(
  { apiKey, baseUrl }: SearchAccount,
  web: Pick<ToolServices, "fetch">,
): ToolServices["search"] {
  return async (query, count, signal) => {
    const words = query.split(/\s+/).slice(0, MAX_WORDS).join(" ");
    const parameters = new URLSearchParams({ q: words, count: String(count), text_decorations: "false" });
    const headers = { accept: "application/json", "x-subscription-token": apiKey };
    // A redirect would carry the key to another server.
    const response = await web.fetch(`${baseUrl}/web/search?${parameters}`, { headers, redirect: "manual", signal });
    if (!response.ok) return refusal(response);
    const { bytes, cut } = await readBody(response, MAX_BYTES);
    const read = answerSchema().safeParse(cut ? null : parseJson(new TextDecoder().decode(bytes)));
    if (!read.success) return { ok: false, error: "the search engine's answer can't be read", isFault: true };
    const found = hitSchema();
    const hits = (read.data.web?.results ?? []).flatMap((result) => readHit(found.safeParse(result).data));
    return { ok: true, hits: hits.slice(0, count) };
  };
}

/**
 * Describes a refusal. The engine answers 401 without a key and 422 for an invalid one. For a used up quota it gives the waiting time in its own
 * header.
 */
async function refusal(response: Response): Promise<Awaited<ReturnType<ToolServices["search"]>>> {
  if (response.status === 401 || response.status === 403 || response.status === 422) {
    await response.body?.cancel();
    const error = `the search engine did not accept the request or its key (${response.status})`;
    return { ok: false, error, isFault: true };
  }
  const [limits = [], left = [], resets = []] = ["limit", "remaining", "reset"].map((name) =>
    (response.headers.get(`x-ratelimit-${name}`) ?? "").split(",").map((one) => one.trim()),
  );
  // There are two windows, a second and a month. If the month is used up, waiting a second does not help. A plan that is paid by use always has
  // 0 for its month.
  const reset = resets.findLast((_, window) => left[window] === "0" && limits[window] !== "0") ?? resets[0];
  const refused = await readRefusal("the search engine", response);
  const isTold = response.status !== 429 || refused.retryAfterMs !== undefined || !/^\d+$/.test(reset ?? "");
  return isTold ? refused : { ...refused, retryAfterMs: Number(reset) * 1000 };
}

function readHit(hit: Infer<ReturnType<typeof hitSchema>> | undefined): SearchHit[] {
  if (!hit || !/^https?:\/\//.test(hit.url)) return [];
  const { title, url, description, age } = hit;
  return [{ title: plain(title), url, snippet: plain(description ?? ""), ...(age == null ? {} : { age }) }];
}

/** Turns a title or snippet into plain text: they come as HTML, with marked words and character references. */
const plain = (html: string): string => decodeEntities(html.replace(/<[^<>]*>/g, "")).trim();
