// Shows words of people, models and tools on a page: unchanged, with long texts folded.
import { html } from "hono/html";
import { turnText } from "../core/copy/inspected-turn.ts";
import type { Html } from "./layout.ts";

/** How many characters are shown at once. */
const SHOWN_CHARS = 1200;

/** Renders a text with its line breaks. A long one shows its beginning and can be opened. */
export function renderWords(text: string): Html {
  if (text.length <= SHOWN_CHARS) return html`<pre class="words">${text}</pre>`;
  return html`<pre class="words">${text.slice(0, SHOWN_CHARS).toWellFormed()}…</pre>
<details class="more"><summary>${turnText.whole(text.length)}</summary><pre class="words">${text}</pre></details>`;
}

/** Renders JSON with indentation; any other text as it is. */
export function renderJson(text: string): Html {
  try {
    return renderWords(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return renderWords(text);
  }
}
