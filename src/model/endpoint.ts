// Where a model is, and how a request to it looks: the address, the key and the other headers.
import { bodyBytes } from "./body-bytes.ts";
import type { Fields } from "./json-fields.ts";

/** Where the request goes. */
export interface Endpoint {
  /** Empty: no key is sent. */
  apiKey: string;
  /** May have a query, which is kept (Azure). */
  baseUrl: string;
  headers?: Readonly<Record<string, string>>;
  secretHeaders?: Readonly<Record<string, string>>;
  fetch: (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/** Azure reads a key only from a header of its own. */
const AZURE = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/i;

/** The host of an address; empty when it is none. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

/** Makes a request for an answer, without its signal: the address and its init. */
export type CreateRequest = (body: Fields) => [string, RequestInit];

/** Address and headers are the same for each request, and made once. */
export function answerRequests(endpoint: Omit<Endpoint, "fetch">): CreateRequest {
  const address = addressOf(endpoint.baseUrl, "chat/completions");
  const headers = headersTo(endpoint, "application/json");
  headers.set("Accept", "text/event-stream");
  return (body) => [address, { method: "POST", headers, body: bodyBytes(body) }];
}

/** A request to another path: JSON text, or a form. */
export function createRequestTo(
  endpoint: Omit<Endpoint, "fetch">,
  path: string,
  body: string | FormData,
): [string, RequestInit] {
  const headers = headersTo(endpoint, typeof body === "string" ? "application/json" : null);
  return [addressOf(endpoint.baseUrl, path), { method: "POST", headers, body }];
}

/** Configured headers never replace those of the key and the body. Without a type: a form names its own, with its boundary. */
function headersTo({ apiKey, baseUrl, headers, secretHeaders }: Omit<Endpoint, "fetch">, type: string | null): Headers {
  const all = new Headers({ ...headers, ...secretHeaders });
  if (apiKey !== "" && AZURE.test(hostOf(baseUrl))) all.set("api-key", apiKey);
  else if (apiKey !== "") all.set("Authorization", `Bearer ${apiKey}`);
  if (type === null) all.delete("Content-Type");
  else all.set("Content-Type", type);
  return all;
}

/** The path goes before the query. */
function addressOf(baseUrl: string, to: string): string {
  const [path = "", query] = baseUrl.split("?", 2);
  return `${path.replace(/\/+$/, "")}/${to}${query === undefined ? "" : `?${query}`}`;
}

/** What no failure may show: the key, and what its headers hold. */
export const secretsOf = ({ apiKey, headers = {}, secretHeaders = {} }: Omit<Endpoint, "fetch">): string[] => {
  const values = Object.values({ ...headers, ...secretHeaders }).map((value) => value.replace(SCHEME, ""));
  return [apiKey, ...values].filter(({ length }) => length >= MIN_SECRET_CHARS);
};

const SCHEME = /^(?:bearer|basic|token) +/i;
/** A shorter text is not a secret (a server at home may take any key), and removing it would break ordinary words. */
const MIN_SECRET_CHARS = 8;
