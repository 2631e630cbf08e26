// What to do with what is known before the bot starts. Pure: facts in, a decision out.
import { endpointText, laptopFaults } from "../core/copy/laptop.ts";
import type { GatewayStatus } from "../core/state/gateway-status.ts";
import type { Application, ApplicationAnswer } from "../discord/rest/application.ts";
import type { RegisterResult } from "../discord/rest/register-commands.ts";
import { tokenFaultText } from "../setup/copy/setup.ts";
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
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) return failed(laptopFaults.badAddress);
  const fault = findTokenFault(token);
  return fault === null ? { ok: true, value: { baseUrl } } : failed(laptopFaults.noToken(tokenFaultText[fault]));
}

/** What Discord said about the token. */
export function checkApplication(answer: ApplicationAnswer, baseUrl: string): Checked<Application> {
  if (answer.ok) return { ok: true, value: answer.application };
  if (answer.status === 401) return failed(laptopFaults.badToken);
  if (answer.status === null) return failed(laptopFaults.unreachable(new URL(baseUrl).host, answer.error));
  return failed(laptopFaults.trouble(answer.status));
}

/** What Discord said about the commands. */
export function checkCommands(result: RegisterResult, baseUrl: string): Checked<null> {
  if (result.ok) return { ok: true, value: null };
  return failed(
    result.status === null
      ? laptopFaults.unreachable(new URL(baseUrl).host, result.error)
      : laptopFaults.commands(result.status, result.error.slice(0, 200)),
  );
}

/** Where interactions go. `ask`: they don't come here, and a person at the terminal decides whether to start all the same. */
export function planInteractions(
  { name, endpointUrl }: Pick<Application, "name" | "endpointUrl">,
  hasTerminal: boolean,
): { kind: "here" } | { kind: "ask" | "refuse"; sentences: readonly string[]; host: string } {
  if (endpointUrl === null) return { kind: "here" };
  const host = URL.parse(endpointUrl)?.host ?? endpointUrl;
  const sentence = endpointText(name, host);
  return hasTerminal
    ? { kind: "ask", sentences: [sentence], host }
    : { kind: "refuse", sentences: [sentence, laptopFaults.endpointRefused], host };
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
