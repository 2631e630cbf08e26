// The pages of a consent in a person's browser: a redirect to the authorization server, and afterwards the page with the code. Nobody is signed
// in here, so visiting a page alone stores nothing.
import type { ConnectionAnswer, ConnectionRequest } from "../../core/access/connection-rpc.ts";
import { scopeName } from "../../core/access/scope-copy.ts";
import { connectionFaultText, consentPage } from "../../core/copy/connections.ts";
import { readState } from "./connection-state.ts";
import { reachScope } from "./reach-scope.ts";
import type { FindScope } from "./scope-port.ts";

/** What the pages need. */
export interface ConsentPorts {
  scope: FindScope;
  logError: (line: string, detail: Record<string, unknown>) => void;
  /** Null if no remote server can be connected; then every link is refused. */
  tokenKey: string | null;
}

const STYLE = "body{font:1.1rem system-ui;margin:10vmin}code{font-size:2rem}";
/** No authorization server returns a person with a longer query. */
const MAX_QUERY_CHARS = 8192;
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** Answers `/oauth/start` and `/oauth/callback`. Never throws. */
export async function answerConsent(
  step: "start" | "return",
  query: string,
  { scope, logError, tokenKey }: ConsentPorts,
): Promise<Response> {
  const parameters = new URLSearchParams(query.length > MAX_QUERY_CHARS ? "" : query);
  const state = tokenKey === null ? null : await readState(parameters.get("state") ?? "", tokenKey);
  if (state === null) return page(400, consentPage.faultTitle, [connectionFaultText("stale", undefined)]);
  const { guildId, nonce } = state;
  // The state is no longer needed in the query. The code is useless without what the scope stores.
  const request: ConnectionRequest =
    step === "start" ? { op: "start", nonce } : { op: "return", nonce, query: parameters.toString() };
  const ports = { access: { scope }, logError };
  const answer = await reachScope(scopeName(guildId), ports, (place) => place.connection(request));
  return answer ? responseTo(answer) : page(503, consentPage.faultTitle, [consentPage.unreachable]);
}

function responseTo(answer: ConnectionAnswer): Response {
  switch (answer.op) {
    case "go":
      return new Response(null, { status: 302, headers: { ...HEADERS, location: answer.url } });
    case "code":
      return page(200, consentPage.codeTitle, [consentPage.code(answer.serverId), consentPage.warning], answer.code);
    case "refused":
      return page(400, consentPage.faultTitle, [connectionFaultText(answer.fault, answer.detail)]);
    default:
      return page(500, consentPage.faultTitle, [consentPage.unreachable]);
  }
}

function page(status: number, title: string, lines: readonly string[], code = ""): Response {
  // The sentences are also written for Discord, with commands in backticks.
  const [first = "", ...rest] = lines.map((line) => `<p>${escaped(line).replace(/`([^`]+)`/g, "<b>$1</b>")}</p>`);
  const shown = code === "" ? "" : `<p><code>${escaped(code)}</code></p>`;
  const body = `<h1>${escaped(title)}</h1>${first}${shown}${rest.join("")}`;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parley</title><style>${STYLE}</style>${body}`;
  return new Response(html, { status, headers: HEADERS });
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

/** Describes Parley to authorization servers, which read this at the address that is its client id. */
export const clientMetadata = (origin: string) => ({
  client_id: `${origin}/oauth/client.json`,
  client_name: "Parley",
  redirect_uris: [`${origin}/oauth/callback`],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
});
