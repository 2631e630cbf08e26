// The line at the top of the page that shows what is wrong with the bot's configuration, until it is fixed.
import { required } from "./element.ts";

/** Reads the problems from the bot and shows them. May be called at any time. */
export async function showProblems(): Promise<void> {
  const line = required("problems", HTMLElement);
  const response = await fetch("/health").catch(() => null);
  const { problems = [] }: { problems?: string[] } = (await response?.json().catch(() => null)) ?? {};
  line.hidden = problems.length === 0;
  if (problems.length === 0) return;
  line.textContent = `Parley is not configured: ${problems.join("; ")}. Correct these variables in the shell, and start the playground again.`;
}
