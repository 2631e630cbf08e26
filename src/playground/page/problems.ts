// What the bot can't use of its configuration, above everything, until it is mended.
import { required } from "./element.ts";

/** Asks the bot, and shows what it says. May be called at any time. */
export async function showProblems(): Promise<void> {
  const line = required("problems", HTMLElement);
  const response = await fetch("/health").catch(() => null);
  const { problems = [] }: { problems?: string[] } = (await response?.json().catch(() => null)) ?? {};
  line.hidden = problems.length === 0;
  if (problems.length === 0) return;
  line.textContent = `Parley is not configured: ${problems.join("; ")}. Correct these variables in the shell, and start the playground again.`;
}
