// Words of people, models and tools on a page: as they are, the long ones folded.
import { html } from "hono/html";
import { turnText } from "../core/copy/inspected-turn.ts";
import type { Html } from "./layout.ts";

/** How many characters are shown at once. */
const SHOWN_CHARS = 1200;

/** A text in its own lines. A long one shows its beginning and opens to the whole. */
export function renderWords(text: string): Html {
  if (text.length <= SHOWN_CHARS) return html`<pre class="words">${text}</pre>`;
  return html`<pre class="words">${text.slice(0, SHOWN_CHARS).toWellFormed()}…</pre>
<details class="more"><summary>${turnText.whole(text.length)}</summary><pre class="words">${text}</pre></details>`;
}

/** JSON with indentation; what is none, as it is. */
export function renderJson(text: string): Html {
  try {
    return renderWords(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return renderWords(text);
  }
}
