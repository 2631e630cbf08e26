// What to do with what is known before the bot starts. Pure: facts in, a decision out.
import { isHttp } from "../config/addresses.ts";
import { endpointText, laptopFaults, laptopQuestions, otherCommandsText } from "../core/copy/laptop.ts";
import type { GatewayStatus } from "../core/state/gateway-status.ts";
import type { Application, ApplicationAnswer } from "../discord/rest/application.ts";
import type { CommandNames, RegisterResult } from "../discord/rest/register-commands.ts";
import { failure, tokenFaultText } from "../setup/copy/setup.ts";
import { findTokenFault, trimToken } from "../setup/token-shape.ts";
import { discordUrl, type Shell } from "./variables.ts";

/** Start, or a sentence that says why not. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; fault: string };

const failed = (fault: string) => ({ ok: false, fault }) as const;

/**
 * The token of a shell that wants the real Discord; null for the playground. The playground's own token means the playground, unless an
 * address says which Discord has it.
 */
export function laptopToken(shell: Shell, playgroundToken: string): string | null {
  const token = trimToken(shell.DISCORD_BOT_TOKEN ?? "");
  const isPlayground = token === playgroundToken && !shell.DISCORD_API_BASE_URL?.trim();
  return token === "" || isPlayground ? null : token;
}

/** Whether Discord may be asked at all. */
export function checkShell(shell: Shell, token: string): Checked<{ baseUrl: string }> {
  const baseUrl = discordUrl(shell);
  if (!isHttp(baseUrl)) return failed(laptopFaults.badAddress);
  const fault = findTokenFault(token);
  return fault === null ? { ok: true, value: { baseUrl } } : failed(laptopFaults.noToken(tokenFaultText[fault]));
}

/** What Discord said about the token. */
export function checkApplication(answer: ApplicationAnswer, baseUrl: string): Checked<Application> {
  if (answer.ok) return { ok: true, value: answer.application };
  if (answer.status === 401) return failed(laptopFaults.badToken);
  // Nobody needs a right to read their own application: its network refuses this computer.
  if (answer.status === 403) return failed(failure.blocked);
  return failed(troubleText(answer, baseUrl));
}

/** Which commands Discord has. Where they can't be read, a start might replace another program's. */
export function checkNames(result: CommandNames, baseUrl: string): Checked<readonly string[]> {
  return result.ok ? { ok: true, value: result.names } : failed(troubleText(result, baseUrl));
}

/** What Discord said about the commands. */
export function checkCommands(result: RegisterResult, baseUrl: string): Checked<null> {
  if (result.ok) return { ok: true, value: null };
  const { status, error } = result;
  return failed(status === null ? troubleText(result, baseUrl) : laptopFaults.commands(status, error.slice(0, 200)));
}

/** Why Discord did not do what it was asked for. `status` null: no answer of its came. */
const troubleText = ({ status, error }: { status: number | null; error: string }, baseUrl: string): string =>
  status === null ? laptopFaults.unreachable(new URL(baseUrl).host, error) : laptopFaults.trouble(status);

/** A sentence and a question for the person at the terminal, and what a no means. Without a terminal: why it does not start. */
export type StartQuestion =
  | { kind: "ask"; sentence: string; question: string; stopped: string }
  | { kind: "refuse"; sentences: readonly string[] };

/** Where interactions go in place of here (null: they come here), and what is asked before the start. */
export interface InteractionsPlan {
  host: string | null;
  asks: StartQuestion | null;
}

/** `others`: the names of commands that another program has registered, and that ours would replace. */
export function planInteractions(
  { name, endpointUrl }: Pick<Application, "name" | "endpointUrl">,
  others: readonly string[],
  hasTerminal: boolean,
): InteractionsPlan {
  const ask = (sentence: string, question: string, stopped: string, refused: string): StartQuestion =>
    hasTerminal ? { kind: "ask", sentence, question, stopped } : { kind: "refuse", sentences: [sentence, refused] };
  if (endpointUrl !== null) {
    const host = URL.parse(endpointUrl)?.host ?? endpointUrl;
    const { endpointStopped, endpointRefused } = laptopFaults;
    return { host, asks: ask(endpointText(name, host), laptopQuestions.endpoint, endpointStopped, endpointRefused) };
  }
  const { commandsStopped, commandsRefused } = laptopFaults;
  const sentence = otherCommandsText(name, others);
  const asks = others.length > 0 ? ask(sentence, laptopQuestions.commands, commandsStopped, commandsRefused) : null;
  return { host: null, asks };
}

/** A first connection takes a moment, and begins with what is left of the last start. */
const SETTLING_MS = 15_000;

/** Is this state of the connection worth a line? `last`: of the line before. */
export function isNews(
  status: GatewayStatus,
  { last, wasConnected, forMs }: { last: GatewayStatus | null; wasConnected: boolean; forMs: number },
): boolean {
  if (status === last) return false;
  return status === "connected" || wasConnected || forMs > SETTLING_MS;
}
