// Cloudflare's API, for what wrangler can't do without prompting: the workers.dev name, and what a Worker has.
import { A_PAGE, lostReason } from "../discord/rest/lost-reason.ts";
import { parseJson, readFields, readList, readText } from "../model/json-fields.ts";
import type { WorkerFacts } from "./facts.ts";
import type { Send } from "./ports.ts";

/** Error codes that are answers rather than failures. */
const NOT_THERE = 10007;
/** Another code for a Worker that does not exist. */
const NO_WORKER = 10090;
const NAME_FREE = 10032;
const NAME_TAKEN = 10031;
/** Codes for a token that is wrong or lacks the permission; they also come with status 400. */
export const LOGIN: readonly number[] = [6003, 9106, 9109, 10000, 10001];

/**
 * An answer, or why there is none, with Cloudflare's code if it gave one. `login`: the login was refused. `lost`: no answer came from
 * Cloudflare itself.
 */
export type CloudflareReply =
  | { ok: true; result: unknown }
  | { ok: false; kind: "login" | "lost" | "refused"; code: number | null; text: string };

/** The requests of one account. All may run twice. */
export interface CloudflareApi {
  /** The workers.dev name of the account. */
  readSubdomain(): Promise<{ ok: true; name: string | null } | CloudflareFailure>;
  /** Creates the name; `isMine` false: somebody else has it. */
  makeSubdomain(name: string): Promise<{ ok: true; isMine: boolean } | CloudflareFailure>;
  /** Reads what the Worker of this name has; null: there is no such Worker. */
  readWorker(name: string): Promise<{ ok: true; worker: WorkerFacts | null } | CloudflareFailure>;
  /** Whether the Worker is reachable under workers.dev. */
  isOnWorkersDev(name: string): Promise<{ ok: true; isOn: boolean } | CloudflareFailure>;
  /** Asks a Workers AI model for one token, to see whether the account may use it today. */
  tryWorkersAi(model: string): Promise<CloudflareReply>;
}

/** A refusal. */
export type CloudflareFailure = Extract<CloudflareReply, { ok: false }>;

/** Cloudflare's own address. Wrangler reads another one from the same variable. */
export const CLOUDFLARE = "https://api.cloudflare.com/client/v4";

/** Creates the client for one account. */
export function createCloudflareApi(send: Send, base: string, token: string, accountId: string): CloudflareApi {
  const call = async (method: string, path: string, body?: object): Promise<CloudflareReply> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await send(`${base}/accounts/${accountId}${path}`, init)
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(lostReason);
    if (typeof answer === "string") return { ok: false, kind: "lost", code: null, text: answer };
    const { response } = answer;
    const json = readFields(parseJson(answer.text));
    if (response.ok && !json) return { ok: false, kind: "lost", code: null, text: A_PAGE };
    if (response.ok && json?.success !== false) return { ok: true, result: json?.result };
    const error = readFields(readList(json?.errors)[0]);
    const code = typeof error?.code === "number" ? error.code : null;
    const isRefused = response.status === 401 || (code === null && response.status === 403);
    // A page from a proxy says nothing about the login.
    const isLogin = json ? isRefused || LOGIN.includes(code ?? 0) : false;
    const text = readText(error?.message) ?? `status ${response.status}`;
    return { ok: false, kind: isLogin ? "login" : "refused", code, text };
  };
  return {
    async readSubdomain() {
      const reply = await call("GET", "/workers/subdomain");
      if (!reply.ok) return reply.code === NOT_THERE ? { ok: true, name: null } : reply;
      const { subdomain } = (reply.result ?? {}) as { subdomain?: string | null };
      return { ok: true, name: subdomain || null };
    },
    async makeSubdomain(name) {
      const check = await call("GET", `/workers/subdomains/${name}`);
      if (!check.ok && check.code === NAME_TAKEN) return { ok: true, isMine: false };
      if (!check.ok && check.code !== NAME_FREE) return check;
      const made = await call("PUT", "/workers/subdomain", { subdomain: name });
      if (made.ok) return { ok: true, isMine: true };
      return made.code === NAME_TAKEN ? { ok: true, isMine: false } : made;
    },
    async readWorker(name) {
      const reply = await call("GET", `/workers/scripts/${name}/settings`);
      if (!reply.ok) return [NOT_THERE, NO_WORKER].includes(reply.code ?? 0) ? { ok: true, worker: null } : reply;
      const { bindings } = (reply.result ?? {}) as { bindings?: unknown };
      const found = readList(bindings).map(readFields);
      return {
        ok: true,
        worker: {
          names: found.flatMap((one) => readText(one?.name) ?? []),
          hasAi: found.some((one) => one?.type === "ai"),
        },
      };
    },
    async isOnWorkersDev(name) {
      const reply = await call("GET", `/workers/scripts/${name}/subdomain`);
      if (!reply.ok) return reply;
      return { ok: true, isOn: (reply.result as { enabled?: boolean } | null)?.enabled === true };
    },
    tryWorkersAi: (model) =>
      call("POST", `/ai/run/${model}`, { messages: [{ role: "user", content: "Hi" }], max_tokens: 1 }),
  };
}

/** Whether workers.dev accepts this name. */
export const isSubdomain = (name: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
