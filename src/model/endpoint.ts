// Where a model is, and how a request to it is built: the address, the key and the other headers.
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

/** Azure reads the key only from its own header. */
const AZURE = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/i;

/** Returns the host of an address; empty if it is not an address. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

/** Builds a request for an answer, without its signal: the address and its init. */
export type CreateRequest = (body: Fields) => [string, RequestInit];

/** Prepares requests for answers. Address and headers are the same for each, and built once. */
export function answerRequests(endpoint: Omit<Endpoint, "fetch">): CreateRequest {
  const address = addressOf(endpoint.baseUrl, "chat/completions");
  const headers = headersTo(endpoint, "application/json");
  headers.set("Accept", "text/event-stream");
  return (body) => [address, { method: "POST", headers, body: bodyBytes(body) }];
}

/** Builds a request to another path. The body is JSON text or a form. */
export function createRequestTo(
  endpoint: Omit<Endpoint, "fetch">,
  path: string,
  body: string | FormData,
): [string, RequestInit] {
  const headers = headersTo(endpoint, typeof body === "string" ? "application/json" : null);
  return [addressOf(endpoint.baseUrl, path), { method: "POST", headers, body }];
}

/**
 * Builds the headers. Configured headers never replace those of the key and the body. A form needs no type, because it sets its own, with its
 * boundary.
 */
function headersTo({ apiKey, baseUrl, headers, secretHeaders }: Omit<Endpoint, "fetch">, type: string | null): Headers {
  const all = new Headers({ ...headers, ...secretHeaders });
  if (apiKey !== "" && AZURE.test(hostOf(baseUrl))) all.set("api-key", apiKey);
  else if (apiKey !== "") all.set("Authorization", `Bearer ${apiKey}`);
  if (type === null) all.delete("Content-Type");
  else all.set("Content-Type", type);
  return all;
}

/** Appends a path, before the query. */
function addressOf(baseUrl: string, to: string): string {
  const [path = "", query] = baseUrl.split("?", 2);
  return `${path.replace(/\/+$/, "")}/${to}${query === undefined ? "" : `?${query}`}`;
}

/** Returns what no failure may show: the key, and the values of the headers. */
export const secretsOf = ({ apiKey, headers = {}, secretHeaders = {} }: Omit<Endpoint, "fetch">): string[] => {
  const values = Object.values({ ...headers, ...secretHeaders }).map((value) => value.replace(SCHEME, ""));
  return [apiKey, ...values].filter(({ length }) => length >= MIN_SECRET_CHARS);
};

const SCHEME = /^(?:bearer|basic|token) +/i;
/** A shorter text is not a secret (a server at home may accept any key), and removing it would damage ordinary words. */
const MIN_SECRET_CHARS = 8;
