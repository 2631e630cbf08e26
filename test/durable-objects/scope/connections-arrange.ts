// A scope, a remote server that requires a token, a person and their browser: everything between `/tools connect` and a call with a token.
import { stateWriter } from "../../../durable-objects/scope/connect.ts";
import {
  createChallenger,
  createOAuthFetch,
  randomness,
  whyNotAsked,
} from "../../../durable-objects/scope/connection-ports.ts";
import { createPlacedTools } from "../../../durable-objects/turn/placed-tools.ts";
import { type AddedServer, readAddedServers } from "../../../src/channel/added-servers.ts";
import { scopeName } from "../../../src/core/access/scope-copy.ts";
import { answerConsent } from "../../../src/discord/answers/consent-pages.ts";
import { createSeal } from "../../../src/discord/answers/seal.ts";
import type { ManifestStore } from "../../../src/mcp/remote-tools.ts";
import { serve } from "../../../src/playground/serve.ts";
import type { Tool } from "../../../src/toolkit/define/tool.ts";
import { createScrubber } from "../../../src/toolkit/run/scrub.ts";
import { createSecureFetch } from "../../../src/tools/web/secure-fetch.ts";
import { authorizationServer } from "../../support/authorization-server.ts";
import { createScopeHarness } from "../../support/scope-harness.ts";
import { testContext } from "../../toolkit/context.ts";

export const KEY = "a key of thirty-two letters or more";
export const GUILD = "10";
const ORIGIN = "https://parley.example";

const timers = {
  after(ms: number, callback: () => void) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** Starts the server. `key` null: the deployment has none. */
export async function connecting() {
  const provider = authorizationServer();
  const served = await serve((request) => provider.fetch(request));
  provider.origin = served.url;
  const hosts = new Set([new URL(served.url).host]);
  const scopes = createScopeHarness();
  const log: string[] = [];
  const noted = (line: string, detail?: Record<string, unknown>) => void log.push(`${line} ${JSON.stringify(detail)}`);
  const secretKey: { current: string | null } = { current: KEY };
  const server = { id: "wiki", url: `${served.url}/mcp`, headers: {}, isFixed: false, registered: null };
  const fixed = { ...server, id: "fixed", isFixed: true };
  scopes.connectionPorts = (name, connections) => ({
    name,
    servers: [server, fixed],
    connections,
    seal: secretKey.current === null ? null : createSeal(secretKey.current),
    ask: createOAuthFetch((url, init) => fetch(url, init), timers, "0.0.1", hosts),
    askForChallenge: createChallenger((url, init) => fetch(url, init), timers, "0.0.1", hosts),
    whyNot: (address) => whyNotAsked(address, hosts),
    writeState: stateWriter(name, KEY),
    ...randomness,
    clock: () => scopes.clock.now,
    describe: String,
    log: { info: noted, error: noted },
  });
  const scopeOf = (guildId: string | null) => scopes.scope(scopeName(guildId));
  const pages = { scope: scopes.scope, logError: noted, tokenKey: KEY };

  /** The link that a person gets. */
  const begin = async (userId = "21", guildId: string | null = GUILD, serverId = "wiki"): Promise<string> => {
    const answer = await scopeOf(guildId).connection({ op: "begin", serverId, userId, origin: ORIGIN });
    if (answer.op !== "begun") throw new Error(`not begun: ${JSON.stringify(answer)}`);
    return `${ORIGIN}/oauth/start?state=${answer.state}`;
  };
  /** The browser opens one of our pages. */
  const open = async (address: string | URL): Promise<{ status: number; text: string; location: string }> => {
    const { pathname, search } = new URL(address);
    const response = await answerConsent(pathname === "/oauth/start" ? "start" : "return", search, pages);
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get("location") ?? "",
    };
  };
  /** Follows the link up to the redirect back. */
  const agree = async (link: string): Promise<URL> => provider.agree((await open(link)).location);
  const codeOn = (page: { text: string }): string => /<code[^>]*>([^<]+)<\/code>/.exec(page.text)?.[1] ?? "no code";
  const confirm = (code: string, userId = "21", guildId: string | null = GUILD) =>
    scopeOf(guildId).connection({ op: "confirm", userId, code });

  /** A channel of the server, with memory and lists of its own. */
  const channel = (guildId: string | null = GUILD, manifests = new Map<string, string>()) => {
    const store: ManifestStore = {
      manifest: (id) => manifests.get(id) ?? null,
      putManifest: (id, json) => void manifests.set(id, json),
    };
    const outside = {
      fetch: (url: string, init: RequestInit) => fetch(url, init),
      after: timers.after,
      keepAlive: () => {},
      version: "0.0.1",
      clock: () => scopes.clock.now,
      scrub: createScrubber(),
      showPictures: () => {},
      log: noted,
      store,
    };
    const remote = { id: "wiki", url: server.url, headers: {}, tools: null, category: {} };
    const added = { known: [] as readonly AddedServer[] };
    const tools = createPlacedTools(
      [remote],
      outside,
      new Set(),
      (place, request) => scopeOf(place).connection(request),
      { servers: () => added.known, fetch: createSecureFetch(outside.fetch, scopes.privateHosts) },
    );
    return {
      manifests,
      /** The next message carries what the scope says. */
      async hear() {
        added.known = readAddedServers(await scopeOf(GUILD).settings());
      },
      tools: (): Promise<readonly Tool[]> => tools(guildId)(new AbortController().signal),
      async call(): Promise<unknown> {
        const [tool] = await tools(guildId)(new AbortController().signal);
        return tool ? tool.execute({}, testContext() as never) : "no tool";
      },
    };
  };

  return {
    provider,
    scopes,
    server,
    log,
    secretKey,
    begin,
    open,
    agree,
    codeOn,
    confirm,
    channel,
    scopeOf,
    /** Goes through all of it successfully. */
    async connect(userId = "21", guildId: string | null = GUILD) {
      const page = await open(await agree(await begin(userId, guildId)));
      return confirm(codeOn(page), userId, guildId);
    },
    close: () => served.close(),
  };
}
