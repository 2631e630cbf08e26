// Cloudflare's API, where wrangler can't be asked without a question of its own: the workers.dev name, and what a Worker has.
import type { WorkerFacts } from "./facts.ts";
import type { Send } from "./ports.ts";

/** Codes of refusals that are answers. */
const NOT_THERE = 10007;
/** Another code of a Worker that is not there. */
const NO_WORKER = 10090;
const NAME_FREE = 10032;
const NAME_TAKEN = 10031;

/** An answer, or its first error. `code` 0: there was no answer that could be read. */
export type CloudflareReply = { ok: true; result: unknown } | { ok: false; code: number; text: string };

/** The requests of one account. All may run twice. */
export interface CloudflareApi {
  /** The workers.dev name of the account. */
  readSubdomain(): Promise<{ ok: true; name: string | null } | CloudflareFailure>;
  /** Makes the name; false: somebody else has it. */
  makeSubdomain(name: string): Promise<{ ok: true; isMine: boolean } | CloudflareFailure>;
  /** What the Worker of this name has; null: there is none. */
  readWorker(name: string): Promise<{ ok: true; worker: WorkerFacts | null } | CloudflareFailure>;
  /** Is the Worker reachable under workers.dev? */
  isOnWorkersDev(name: string): Promise<{ ok: true; isOn: boolean } | CloudflareFailure>;
  /** One token of a Workers AI model, to see whether the account may use it today. */
  tryWorkersAi(model: string): Promise<CloudflareReply>;
}

/** A refusal. */
export type CloudflareFailure = Extract<CloudflareReply, { ok: false }>;

/** Cloudflare's own address; wrangler reads another from the same variable. */
export const CLOUDFLARE = "https://api.cloudflare.com/client/v4";

/** Makes the client of an account. */
export function createCloudflareApi(send: Send, base: string, token: string, accountId: string): CloudflareApi {
  const call = async (method: string, path: string, body?: object): Promise<CloudflareReply> => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await send(`${base}/accounts/${accountId}${path}`, init).catch((error: unknown) => String(error));
    if (typeof response === "string") return { ok: false, code: 0, text: response };
    const json = (await response.json().catch(() => null)) as {
      success?: boolean;
      result?: unknown;
      errors?: { code?: number; message?: string }[];
    } | null;
    if (response.ok && json?.success !== false) return { ok: true, result: json?.result };
    const [error] = json?.errors ?? [];
    return { ok: false, code: error?.code ?? 0, text: error?.message ?? `status ${response.status}` };
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
      if (!reply.ok) return [NOT_THERE, NO_WORKER].includes(reply.code) ? { ok: true, worker: null } : reply;
      const { bindings = [] } = (reply.result ?? {}) as { bindings?: { type?: string; name?: string }[] };
      return {
        ok: true,
        worker: {
          names: bindings.flatMap((one) => (one.name === undefined ? [] : [one.name])),
          hasAi: bindings.some(({ type }) => type === "ai"),
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

/** Is this a name that workers.dev accepts? */
export const isSubdomain = (name: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
