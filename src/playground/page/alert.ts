// The line above the box that says what went wrong, for a few seconds.
import { required } from "./element.ts";
import type { Answer } from "./world.ts";

const SHOWN_MS = 8_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the error of an answer, or hides the last one. Returns the answer. */
export function showAnswer(answer: Answer): Answer {
  clearTimeout(timer);
  const line = required("alert", HTMLElement);
  line.hidden = answer.ok;
  if (answer.ok) return answer;
  line.textContent = answer.error;
  timer = setTimeout(hideAlert, SHOWN_MS);
  return answer;
}

/** Hides the last error. */
export function hideAlert(): void {
  required("alert", HTMLElement).hidden = true;
}
