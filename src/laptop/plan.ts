// Decides from what is known before the bot starts. Pure: facts in, a decision out.
import { isHttp } from "../config/addresses.ts";
import { endpointText, laptopFaults, laptopQuestions, otherCommandsText } from "../core/copy/laptop.ts";
import type { GatewayStatus } from "../core/state/gateway-status.ts";
import type { Application, ApplicationAnswer } from "../discord/rest/application.ts";
import type { CommandNames, RegisterResult } from "../discord/rest/register-commands.ts";
import { failure, tokenFaultText } from "../setup/copy/setup.ts";
import { findTokenFault, trimToken } from "../setup/token-shape.ts";
import { discordUrl, type Shell } from "./variables.ts";

/** A value to start with, or a sentence that says why the bot can't start. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; fault: string };

const failed = (fault: string) => ({ ok: false, fault }) as const;

/**
 * Returns the token if the shell asks for the real Discord; null for the playground. The playground's own token means the playground, unless
 * the shell also has Discord's address.
 */
export function laptopToken(shell: Shell, playgroundToken: string): string | null {
  const token = trimToken(shell.DISCORD_BOT_TOKEN ?? "");
  const isPlayground = token === playgroundToken && !shell.DISCORD_API_BASE_URL?.trim();
  return token === "" || isPlayground ? null : token;
}

/** Checks the address and the token's form before anything is sent to Discord. */
export function checkShell(shell: Shell, token: string): Checked<{ baseUrl: string }> {
  const baseUrl = discordUrl(shell);
  if (!isHttp(baseUrl)) return failed(laptopFaults.badAddress);
  const fault = findTokenFault(token);
  return fault === null ? { ok: true, value: { baseUrl } } : failed(laptopFaults.noToken(tokenFaultText[fault]));
}

/** Checks Discord's answer to the token. */
export function checkApplication(answer: ApplicationAnswer, baseUrl: string): Checked<Application> {
  if (answer.ok) return { ok: true, value: answer.application };
  if (answer.status === 401) return failed(laptopFaults.badToken);
  // Reading one's own application needs no permission, so Discord's network is refusing this computer.
  if (answer.status === 403) return failed(failure.blocked);
  return failed(troubleText(answer, baseUrl));
}

/** Checks the names of the registered commands. If they can't be read, the bot must not start: it might replace another program's. */
export function checkNames(result: CommandNames, baseUrl: string): Checked<readonly string[]> {
  return result.ok ? { ok: true, value: result.names } : failed(troubleText(result, baseUrl));
}

/** Checks Discord's answer to the registration of commands. */
export function checkCommands(result: RegisterResult, baseUrl: string): Checked<null> {
  if (result.ok) return { ok: true, value: null };
  const { status, error } = result;
  return failed(status === null ? troubleText(result, baseUrl) : laptopFaults.commands(status, error.slice(0, 200)));
}

/** Explains why a request to Discord failed. `status` null: no answer came from Discord. */
const troubleText = ({ status, error }: { status: number | null; error: string }, baseUrl: string): string =>
  status === null ? laptopFaults.unreachable(new URL(baseUrl).host, error) : laptopFaults.trouble(status);

/** A sentence and a question for the person at the terminal, and the sentence after a no. Without a terminal: why the bot doesn't start. */
export type StartQuestion =
  | { kind: "ask"; sentence: string; question: string; stopped: string }
  | { kind: "refuse"; sentences: readonly string[] };

/** The host that receives interactions instead of this computer (null: they come here), and the question before the start. */
export interface InteractionsPlan {
  host: string | null;
  asks: StartQuestion | null;
}

/** Plans where interactions go. `others`: names of another program's commands, which ours would replace. */
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

/** The first connection takes a moment, and its status is at first left over from the last start. */
const SETTLING_MS = 15_000;

/** Whether this state of the connection is worth a line. `last`: the state in the previous line. */
export function isNews(
  status: GatewayStatus,
  { last, wasConnected, forMs }: { last: GatewayStatus | null; wasConnected: boolean; forMs: number },
): boolean {
  if (status === last) return false;
  return status === "connected" || wasConnected || forMs > SETTLING_MS;
}
