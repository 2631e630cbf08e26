// The line above the box that says what went wrong, for a few seconds.
import { required } from "./element.ts";
import type { Answer } from "./world.ts";

const SHOWN_MS = 8_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the error of an answer, or takes the last one away. Gives the answer back. */
export function showAnswer(answer: Answer): Answer {
  clearTimeout(timer);
  const line = required("alert", HTMLElement);
  line.hidden = answer.ok;
  if (answer.ok) return answer;
  line.textContent = answer.error;
  timer = setTimeout(hideAlert, SHOWN_MS);
  return answer;
}

/** Takes the last error away. */
export function hideAlert(): void {
  required("alert", HTMLElement).hidden = true;
}
