// `npm run deploy` without its process: deploys the production configuration, with Workers AI if the Worker may need it. Never replaces a
// Worker that it recognizes as another program's.
import { CLOUDFLARE, type CloudflareFailure, createCloudflareApi } from "./cloudflare-api.ts";
import { failure } from "./copy/setup.ts";
import { findUnwritable, needsAi, writeDeployConfig } from "./deploy-config.ts";
import type { WorkerFacts } from "./facts.ts";
import { hasRoomFor } from "./full-disk.ts";
import type { SetupPorts } from "./ports.ts";
import { cloudflareText } from "./step-context.ts";
import { readLogin, readToken } from "./wrangler.ts";

/** Deploys the Worker of this name. `more`: arguments for wrangler. Returns its exit code. May run twice. */
export async function runDeploy(ports: SetupPorts, name: string, more: readonly string[]): Promise<number> {
  const unwritable = findUnwritable(ports.root);
  if (unwritable !== null) {
    ports.terminal.fail(failure.notWritable(unwritable));
    return 1;
  }
  const seen = await findWorker(ports, name);
  if (seen.ok && seen.worker !== null && !seen.worker.names.includes("CHANNEL")) {
    ports.terminal.fail(failure.notParley(name));
    return 1;
  }
  const release = ports.claimFiles();
  if (release === null) {
    ports.terminal.fail(failure.otherDeploy);
    return 1;
  }
  // An unneeded binding does no harm, but a Worker with neither a key nor the binding would have no model.
  const withAi = !seen.ok || needsAi(seen.worker ?? { names: [], hasAi: false });
  let config = "";
  const hasRoom = hasRoomFor(() => {
    config = writeDeployConfig(ports.root, withAi);
  });
  if (!hasRoom) {
    release();
    ports.terminal.fail(failure.noRoom);
    return 1;
  }
  const args = ["deploy", "--name", name, "--config", config, ...more];
  const { code } = await ports.runWrangler(args, { isShown: true }).finally(release);
  // For a lost connection, wrangler mostly just prints "fetch failed".
  if (code !== 0 && !seen.ok && seen.failure?.kind === "lost") ports.terminal.fail(cloudflareText(seen.failure));
  return code;
}

/** Reads the Worker of this name; null: there is no such Worker. Not ok: it can't be read, and `failure` says why, if that is known. */
async function findWorker(
  ports: SetupPorts,
  name: string,
): Promise<{ ok: true; worker: WorkerFacts | null } | { ok: false; failure: CloudflareFailure | null }> {
  const { variables, send } = ports;
  const env: Record<string, string> = variables.CLOUDFLARE_API_TOKEN
    ? { CLOUDFLARE_API_TOKEN: variables.CLOUDFLARE_API_TOKEN }
    : {};
  const login = await readLogin(ports, env, variables.CLOUDFLARE_ACCOUNT_ID);
  const accounts = login.kind === "in" ? login.accounts : [];
  const account = variables.CLOUDFLARE_ACCOUNT_ID ?? (accounts.length === 1 ? accounts[0]?.id : undefined);
  const token = account === undefined ? null : await readToken(ports, env);
  if (account === undefined || token === null)
    return { ok: false, failure: login.kind === "failed" ? login.failure : null };
  const base = variables.CLOUDFLARE_API_BASE_URL ?? CLOUDFLARE;
  const reply = await createCloudflareApi(send, base, token, account).readWorker(name);
  return reply.ok ? reply : { ok: false, failure: reply };
}
