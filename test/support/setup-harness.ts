// Harness: everything around the setup command and the doctor: the local Discord, a scripted wrangler and a scripted Cloudflare that
// keep what was deployed, models that answer as the test says, a person at the screen. The deployed Worker is the product's own
// application. Use it for what people see of setup and doctor, and for what these leave behind when they die.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import type { Ended, SetupPorts, Terminal } from "../../src/setup/ports.ts";
import { fingerprintOf } from "../../src/setup/worker-probe.ts";
import { scene } from "./endpoint-harness.ts";

/** A Worker as Cloudflare keeps it. */
export interface StoredWorker {
  secrets: Record<string, string>;
  /** The names of variables that are not secrets, as a person sets them in the dashboard. */
  vars?: string[];
  hasAi: boolean;
  deploys: number;
  /** Whether it is Parley; false: another program with this name. */
  isParley: boolean;
}

/** What Cloudflare keeps, and how it misbehaves. */
export interface Cloud {
  /** Null: logged out. */
  accounts: { id: string; name: string }[] | null;
  subdomain: string | null;
  /** Names that are taken. */
  taken: string[];
  workers: Map<string, StoredWorker>;
  /** How many more requests to a new Worker's address fail. */
  unreachable: number;
  /** What each wrangler command answers instead. */
  instead: Partial<Record<"whoami" | "deploy" | "login" | "secret", Ended>>;
  /** The answers of `/ai/run`. */
  ai: () => Response;
  isOnWorkersDev: boolean;
  /** Whether another cron trigger fits; false: the account has as many as its plan allows. */
  takesCrons: boolean;
  /** What each Worker's gateway does, if it is on. */
  gateway: GatewayStatus | Error;
}

/** The world, the ports into it, and everything that was shown or left behind. */
export interface SetupWorld {
  discord: LocalDiscord;
  cloud: Cloud;
  ports: SetupPorts;
  /** Everything that was printed, questions and answers included, line by line. */
  screen: string[];
  /** The arguments of each run of wrangler. */
  ran: string[][];
  /** Requests as `METHOD host/path`. */
  sent: string[];
  opened: string[];
  /** The file modes of the secrets files while wrangler read them. */
  modes: number[];
  clock: { now: number };
  /** The person's answers by a part of the question; the newest rule wins. Null: they give up. */
  answers: [part: string, answer: string | boolean | null][];
  /** Runs the program up to its n-th call of a port and never lets it continue, like a power cut. */
  runUntil(call: number, program: () => Promise<unknown>): Promise<void>;
  calls(): number;
  /** Answers requests to this host instead of everything else. */
  hosts: Map<string, (request: Request) => Response | Promise<Response>>;
  variables: Record<string, string | undefined>;
  /** Everything left in the folder for temporary files. */
  leftovers(): string[];
  close(): void;
}

/** The token that the local Discord accepts has the shape of a real one. */
export const TOKEN = "MTE4MDAwMDAwMDAwMDAwMDAwMg.Gabcde.secret-of-the-token";
export const MODEL_KEY = "sk-secret-of-the-model";
const API_TOKEN = "secret-of-cloudflare";
export const BASE = "http://127.0.0.1:1/api/v10";
/** Secrets that must never be shown. */
export const SECRETS = [TOKEN, MODEL_KEY, API_TOKEN];

/** The local Discord signs with the published key, which a Worker accepts only at a loopback address. Addresses for a browser stay unchanged. */
const signedRequest = (request: Request): Request =>
  request.headers.has("X-Signature-Ed25519") ? new Request("http://localhost/interactions", request) : request;

const NOT_THERE = { success: false, errors: [{ code: 10007, message: "This Worker does not exist on your account." }] };

/** Makes a world: logged in with one account that has a workers.dev name, no Worker, the bot in no server. */
export function createSetupWorld(variables: Record<string, string> = {}): SetupWorld {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const root = mkdtempSync(join(tmpdir(), "setup-test-"));
  copyFileSync(new URL("../../wrangler.toml", import.meta.url), join(root, "wrangler.toml"));
  const tempFolder = mkdtempSync(join(root, "tmp-"));
  const cloud: Cloud = {
    accounts: [{ id: "acc1", name: "Juno's account" }],
    subdomain: "juno",
    taken: [],
    workers: new Map(),
    unreachable: 0,
    instead: {},
    ai: () => Response.json({ success: true, result: {} }),
    isOnWorkersDev: true,
    takesCrons: true,
    gateway: "connected",
  };
  const hosts: SetupWorld["hosts"] = new Map([
    ["api.openai.com", () => Response.json({ choices: [{ message: { content: "Hi" } }] })],
  ]);
  const screen: string[] = [];
  const ran: string[][] = [];
  const sent: string[] = [];
  const opened: string[] = [];
  const modes: number[] = [];
  const answers: SetupWorld["answers"] = [];
  let calls = 0;
  let death: number | null = null;
  let die = () => {};
  /** A dead program gets no answers and does nothing, not even in its `finally`. */
  const step = async () => {
    calls++;
    if (death === null || calls < death) return;
    die();
    await new Promise<never>(() => {});
  };
  const worker = async (request: Request): Promise<Response> => {
    const name = new URL(request.url).host.split(".")[0] ?? "";
    const found = cloud.workers.get(name);
    if (!found) throw new Error("getaddrinfo ENOTFOUND");
    if (cloud.unreachable > 0) {
      cloud.unreachable--;
      throw new Error("getaddrinfo ENOTFOUND");
    }
    if (!found.isParley) return new Response("Hello World!");
    const env = { ...found.secrets, ...(found.hasAi && { AI: {} }) };
    return scene({
      variables: env,
      now: () => clock.now,
      fetch: route,
      async gatewayStatus() {
        if (cloud.gateway instanceof Error) throw cloud.gateway;
        return cloud.gateway;
      },
    }).dispatch(signedRequest(request));
  };
  const discord = createLocalDiscord({
    now: () => clock.now,
    botToken: TOKEN,
    dispatch: (request) => {
      const { host } = new URL(request.url);
      const instead = hosts.get(host);
      return instead ? Promise.resolve(instead(request)) : worker(request);
    },
    options: { interactionsEndpoint: false, botIsMember: false },
  });
  const cloudflare = (request: Request): Response => {
    const path = new URL(request.url).pathname.replace(/^\/client\/v4\/accounts\/acc\d+/, "");
    const [, name = ""] = /^\/workers\/scripts\/([^/]+)\//.exec(path) ?? [];
    const found = cloud.workers.get(name);
    if (path === "/workers/subdomain" && request.method === "GET")
      return cloud.subdomain === null
        ? Response.json({ success: false, errors: [{ code: 10007, message: "none" }] }, { status: 404 })
        : Response.json({ success: true, result: { subdomain: cloud.subdomain } });
    if (path.startsWith("/workers/subdomains/")) {
      const isTaken = cloud.taken.includes(path.slice("/workers/subdomains/".length));
      return Response.json(
        { success: false, errors: [{ code: isTaken ? 10031 : 10032, message: "" }] },
        { status: 400 },
      );
    }
    if (path.startsWith("/ai/run/")) return cloud.ai();
    if (!found) return Response.json(NOT_THERE, { status: 404 });
    if (path.endsWith("/subdomain")) return Response.json({ success: true, result: { enabled: cloud.isOnWorkersDev } });
    const bindings = [
      ...(found.isParley ? [{ type: "durable_object_namespace", name: "CHANNEL" }] : []),
      ...(found.hasAi ? [{ type: "ai", name: "AI" }] : []),
      ...Object.keys(found.secrets).map((secret) => ({ type: "secret_text", name: secret })),
      ...(found.vars ?? []).map((variable) => ({ type: "plain_text", name: variable })),
    ];
    return Response.json({ success: true, result: { bindings } });
  };
  async function route(url: string, init?: RequestInit): Promise<Response> {
    const request = new Request(url, init);
    const { host, pathname } = new URL(url);
    const instead = hosts.get(host);
    if (instead) return instead(request);
    if (url.startsWith(BASE) || host === "discord.com") return discord.fetch(request);
    if (host === "api.cloudflare.com") {
      if (request.method !== "PUT") return cloudflare(request);
      cloud.subdomain = ((await request.json()) as { subdomain: string }).subdomain;
      return Response.json({ success: true, result: { subdomain: cloud.subdomain } });
    }
    if (host.endsWith(".workers.dev")) return worker(request);
    throw new Error(`nothing answers at ${host}${pathname}`);
  }
  const runWrangler: SetupPorts["runWrangler"] = async (args, { env = {}, input = "" } = {}) => {
    await step();
    ran.push([...args]);
    const ended = runScripted(cloud, args, env, input, modes);
    await step();
    return ended;
  };
  const ask = async <Value>(question: string, fallback: Value): Promise<Value | null> => {
    await step();
    screen.push(`? ${question}`);
    const rule = answers.find(([part]) => question.includes(part));
    return rule ? (rule[1] as Value | null) : fallback;
  };
  const print = (mark: string) => (line: string) => void screen.push(mark + line);
  const terminal: Terminal = {
    canAsk: true,
    askSecret: (question, fault) => checked(ask(question, ""), fault),
    askText: (question, suggestion, fault) => checked(ask(question, suggestion), fault),
    askYesNo: ask,
    choose: (question, choices) => ask(question, choices[0]?.value ?? ""),
    done: print("✓ "),
    warn: print("! "),
    fail: print("✗ "),
    unseen: print("– "),
    tell: print(""),
    wait: (line) => {
      screen.push(`… ${line}`);
      return () => {};
    },
  };
  async function checked(answer: Promise<string | null>, fault: (text: string) => string | null) {
    const text = await answer;
    const wrong = text === null ? null : fault(text);
    if (wrong === null) return text;
    screen.push(`  ${wrong}`);
    // A person without a matching answer gives up.
    return null;
  }
  const all = { DISCORD_API_BASE_URL: BASE, ...variables };
  return {
    discord,
    cloud,
    screen,
    ran,
    sent,
    opened,
    modes,
    clock,
    answers,
    hosts,
    variables: all,
    async runUntil(call, program) {
      death = call;
      const died = new Promise<void>((resolve) => {
        die = resolve;
      });
      const ended = program().then(() => {
        throw new Error("it ended before");
      });
      await Promise.race([died, ended]);
      death = null;
    },
    calls: () => calls,
    leftovers: () => (existsSync(tempFolder) ? readdirSync(tempFolder) : []),
    close: () => rmSync(root, { recursive: true, force: true }),
    ports: {
      send: async (url, init) => {
        await step();
        sent.push(`${init?.method ?? "GET"} ${url.replace(/^https?:\/\//, "")}`);
        const response = await route(url, init);
        await step();
        return response;
      },
      runWrangler,
      terminal,
      clock: {
        now: () => clock.now,
        sleep: async (ms) => {
          await step();
          clock.now += ms;
        },
      },
      claimFiles: () => () => {},
      openBrowser: async (url) => {
        opened.push(url);
        discord.configure({ botIsMember: true });
      },
      variables: all,
      tempFolder,
      root,
    },
  };
}

/** Wrangler as it was observed: what it prints for programs, and what it leaves at Cloudflare. */
function runScripted(
  cloud: Cloud,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string,
  modes: number[],
): Ended {
  const [command] = args;
  const after = (flag: string) => args[args.indexOf(flag) + 1] ?? "";
  const well = (stdout = ""): Ended => ({ code: 0, stdout, stderr: "" });
  const output = (line: object) => {
    if (env.WRANGLER_OUTPUT_FILE_PATH) writeFileSync(env.WRANGLER_OUTPUT_FILE_PATH, `${JSON.stringify(line)}\n`);
  };
  const instead = cloud.instead[command as keyof Cloud["instead"]];
  if (instead) {
    if (instead.code !== 0) output({ type: "command-failed", code: 7003, message: instead.stderr });
    return instead;
  }
  if (command === "whoami") {
    const { accounts } = cloud;
    return accounts
      ? well(JSON.stringify({ loggedIn: true, authType: "OAuth Token", email: "juno@example.org", accounts }))
      : { code: 1, stdout: JSON.stringify({ loggedIn: false }), stderr: "" };
  }
  if (command === "login") {
    cloud.accounts = [{ id: "acc1", name: "Juno's account" }];
    return well();
  }
  if (command === "auth") return well(JSON.stringify({ type: "oauth", token: API_TOKEN }));
  const name = after("--name");
  if (command === "secret") {
    const found = cloud.workers.get(name);
    for (const [secret, value] of Object.entries(JSON.parse(input) as Record<string, string | null>)) {
      if (value === null) delete found?.secrets[secret];
      else if (found) found.secrets[secret] = value;
    }
    return well();
  }
  const file = after("--secrets-file");
  modes.push(statSync(file).mode & 0o777);
  const before = cloud.workers.get(name);
  const config = readFileSync(after("--config"), "utf8");
  cloud.workers.set(name, {
    secrets: { ...before?.secrets, ...(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) },
    ...(before?.vars && { vars: /^keep_vars = true$/m.test(config) ? before.vars : [] }),
    hasAi: config.includes("[ai]"),
    deploys: (before?.deploys ?? 0) + 1,
    isParley: true,
  });
  if (!cloud.takesCrons && config.includes("crons")) {
    output({ type: "command-failed", message: TOO_MANY_CRONS });
    return { code: 1, stdout: "Uploaded", stderr: `\u2718 [ERROR] ${TOO_MANY_CRONS}\n` };
  }
  output({ type: "deploy", worker_name: name, targets: [`https://${name}.${cloud.subdomain}.workers.dev`] });
  return well("Uploaded");
}

/** What wrangler 4.155 prints after it has uploaded the Worker and Cloudflare has refused its schedule (workers-sdk#15194). */
const TOO_MANY_CRONS = `Trigger configuration for "parley" was only partially updated:

    Cron schedules:
      - A request to the Cloudflare API (/accounts/acc1/workers/scripts/parley/schedules) failed.
        - This account has reached the Workers Free limit of 5 cron triggers per account. [code: 10072]

  Successful trigger changes were not rolled back.`;

/** The application's id. */
export const APPLICATION_ID = APPLICATION.id;
export { fingerprintOf };
