// `npm start` with a bot's token: runs the bot on this computer and connects it to the real Discord, until Ctrl-C. This file has the order of
// the steps; plan.ts has the decisions.
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { laptopEnd, laptopFaults, laptopLines } from "../core/copy/laptop.ts";
import { namesOfOthers, registration } from "../discord/commands/registration.ts";
import { inviteLink } from "../discord/invite-link.ts";
import { type Application, readApplication } from "../discord/rest/application.ts";
import { type CommandNames, readCommandNames, registerCommands } from "../discord/rest/register-commands.ts";
import type { RestPorts } from "../discord/rest/rest.ts";
import { keepLines, type LiveLog } from "../playground/live-log.ts";
import { createLocalModel } from "../playground/model/model.ts";
import { freePort } from "../playground/port.ts";
import { hasMessageContent } from "../setup/wanted.ts";
import { watchClock } from "./clock-watch.ts";
import { coverSecrets, readLogLine } from "./log-lines.ts";
import { READER_PATH, servePage } from "./page-server.ts";
import {
  type Checked,
  checkApplication,
  checkCommands,
  checkNames,
  checkShell,
  planInteractions,
  type StartQuestion,
} from "./plan.ts";
import { readPublic } from "./reader.ts";
import { restPorts } from "./rest-ports.ts";
import { launchRuntime, type RuntimeOptions } from "./runtime.ts";
import { takeFolder } from "./start-again.ts";
import { stayConnected } from "./stay-connected.ts";
import { accessHere, laptopVars, modelName, ownersHere, type Shell, secretsIn } from "./variables.ts";

/** The options of a start. */
export interface LaptopOptions {
  token: string;
  shell: Shell;
  /** The port of the page. */
  port: number;
  /** Also prints everything that the runtime writes. */
  verbose: boolean;
  /** Fires at Ctrl-C. */
  signal: AbortSignal;
}

const ROOT = resolve(import.meta.dirname, "../..");

const say = (line: string) => process.stdout.write(`${line}\n`);
const fail = (...sentences: readonly string[]): 1 => {
  process.stderr.write(`${sentences.join("\n")}\n`);
  return 1;
};

/** Runs until the signal or a failure, and returns the exit code. Rejects only if the port is busy. */
export async function runLaptop(options: LaptopOptions): Promise<0 | 1> {
  const { token, shell, port, signal } = options;
  const shelled = checkShell(shell, token);
  if (!shelled.ok) return fail(shelled.fault);
  const { baseUrl } = shelled.value;
  const rest = restPorts({ baseUrl, botToken: token, signal });
  const asked = await askDiscord(rest, baseUrl);
  if (!asked.ok) return signal.aborted ? 0 : fail(asked.fault);
  const { application, otherCommands } = asked.value;
  const { host, asks } = planInteractions(application, otherCommands, process.stdin.isTTY && process.stdout.isTTY);
  if (asks?.kind === "refuse") return fail(...asks.sentences);
  if (asks?.kind === "ask" && !(await mayContinue(asks, signal))) return fail(asks.stopped);
  const folder = join(ROOT, ".wrangler", "laptop", application.id);
  const taken = await takeFolder(folder, application.id);
  if (!taken.isOurs)
    return fail(taken.runsAt === null ? laptopFaults.startsAlready : laptopFaults.runsAlready(taken.runsAt));
  const pagePort = await freePort(port);
  const commands = host === null ? registration() : [];
  if (host === null) {
    const answer = await registerCommands(rest, { applicationId: application.id }, commands);
    const registered = checkCommands(answer, baseUrl);
    if (!registered.ok) return signal.aborted ? 0 : fail(registered.fault);
  }
  const code = await runBot(options, { application, folder, pagePort, endpointHost: host, commands: commands.length });
  taken.release();
  return code;
}

/** Asks Discord whose token this is, and which commands another program has registered there. */
async function askDiscord(
  rest: RestPorts,
  baseUrl: string,
): Promise<Checked<{ application: Application; otherCommands: readonly string[] }>> {
  const asked = checkApplication(await readApplication(rest), baseUrl);
  if (!asked.ok) return asked;
  const application = asked.value;
  // If interactions go elsewhere, no commands are replaced.
  const found: CommandNames =
    application.endpointUrl === null ? await readCommandNames(rest, application.id) : { ok: true, names: [] };
  const names = checkNames(found, baseUrl);
  return names.ok ? { ok: true, value: { application, otherCommands: namesOfOthers(names.value) } } : names;
}

/** What is known about the bot when it starts. `endpointHost`: where its interactions go instead of here, or null. */
interface StartFacts {
  application: Application;
  folder: string;
  pagePort: number;
  endpointHost: string | null;
  commands: number;
}

/** Serves the page, starts the runtime, prints the start, and stays connected. At the end it stops everything and returns the exit code. */
async function runBot({ token, shell, verbose, signal }: LaptopOptions, facts: StartFacts): Promise<0 | 1> {
  const { application, folder, pagePort } = facts;
  const log = keepLines(Date.now);
  const readerKey = randomUUID();
  const page = await servePage(
    {
      applicationId: application.id,
      log,
      model: localModel(shell),
      read: (request) => readPublic(request, readerKey),
    },
    pagePort,
  );
  const secrets = [...secretsIn(shell, token), readerKey];
  const options = {
    folder,
    variables: {
      ...laptopVars(shell, { application, token, localUrl: page.url }),
      LAPTOP_READER_URL: page.url + READER_PATH,
      LAPTOP_READER_KEY: readerKey,
    },
    pageUrl: page.url,
    onLine: (output: string) => hear(output, { log, secrets, verbose }),
    signal,
  };
  const code = await runThrough(options, log, describeStart(shell, facts, page.url));
  await page.close();
  return code;
}

/** Starts the runtime, prints the lines of the start, and stays connected. When the clock has moved, it continues with a new runtime. */
async function runThrough(options: RuntimeOptions, log: LiveLog, start: readonly string[]): Promise<0 | 1> {
  const hasMoved = watchClock(Date.now, () => performance.now());
  const tell = (line: string) => tellBoth(log, "connection", line);
  for (let lines = start; ; lines = []) {
    const launched = await launchRuntime(options);
    if (!launched.ok) return options.signal.aborted ? 0 : fail(launched.fault);
    for (const line of lines) say(line);
    const end = await stayConnected(launched.runtime, { tell, hasMoved, sleep, signal: options.signal });
    if (end.kind === "signal") say(laptopEnd.ending);
    await launched.runtime.stop();
    if (end.kind === "fault") return fail(end.fault);
    if (end.kind === "signal") {
      say(laptopEnd.ended);
      return 0;
    }
  }
}

const describeStart = (
  shell: Shell,
  { application, endpointHost, commands }: StartFacts,
  pageUrl: string,
): readonly string[] =>
  laptopLines({
    name: readable(application.name),
    owners: ownersHere(shell, application).map(readable),
    inviteUrl: inviteLink(application.id),
    pageUrl,
    endpointHost,
    commands,
    model: modelName(shell),
    ...accessHere(shell),
    isPrivate: !application.isPublic,
    requiresCodeGrant: application.requiresCodeGrant,
    readsContent: hasMessageContent(application.flags),
  });

async function mayContinue(
  { sentence, question }: Extract<StartQuestion, { kind: "ask" }>,
  signal: AbortSignal,
): Promise<boolean> {
  say(sentence);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // While the terminal is being read, Ctrl-C is an ordinary key.
  const stop = new AbortController();
  terminal.once("SIGINT", () => stop.abort());
  try {
    const answer = await terminal.question(question, { signal: AbortSignal.any([signal, stop.signal]) });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}

function localModel(shell: Shell): ((request: Request) => Promise<Response>) | null {
  if (modelName(shell) !== null) return null;
  return createLocalModel({ now: Date.now, sleep: (ms, until) => sleep(ms, undefined, until ? { signal: until } : {}) })
    .fetch;
}

/** Handles a line of the runtime's output. */
function hear(
  output: string,
  { log, secrets, verbose }: { log: LiveLog; secrets: readonly string[]; verbose: boolean },
): void {
  const text = coverSecrets(output, secrets);
  if (verbose) process.stderr.write(`${text}\n`);
  const line = readLogLine(text);
  if (line) tellBoth(log, line.level, line.text);
}

function tellBoth(log: LiveLog, level: string, text: string): void {
  say(`${new Date().toLocaleTimeString()}  ${readable(text)}`);
  log.add(level, text);
}

/** Names and log lines may contain characters that control a terminal. */
const readable = (text: string): string => text.replace(/\p{Cc}/gu, " ");
