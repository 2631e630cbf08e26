// Collects the pages that an answer names as its sources: a list next to the answer (Perplexity, xAI), or notes on parts of its text
// (OpenAI, OpenRouter). They are repeated many times during a stream.
import type { Source } from "../core/copy/sources.ts";
import { type Fields, readFields, readList, readText } from "./json-fields.ts";

/** Collects the sources of one answer. */
export interface SourceCollector {
  take(chunk: Fields, delta: Fields): void;
  /** Returns the sources in order. The text's own marks, such as [2], count from the first. */
  list(): Source[];
}

/** No answer needs more, and each is kept as long as the stream lasts. */
const MAX_SOURCES = 100;

/** Creates the collector of one answer. */
export function createSources(): SourceCollector {
  const titles = new Map<string, string | null>();
  const add = (url: unknown, title: unknown) => {
    const address = readText(url);
    if (address === null || !/^https?:/i.test(address) || !URL.canParse(address)) return;
    if (titles.has(address) || titles.size < MAX_SOURCES)
      titles.set(address, readText(title) ?? titles.get(address) ?? null);
  };
  return {
    take({ citations, search_results: results }, { annotations }) {
      for (const one of readList(citations)) add(readFields(one)?.url ?? one, readFields(one)?.title);
      for (const one of readList(results)) add(readFields(one)?.url, readFields(one)?.title);
      for (const one of readList(annotations)) {
        const note = readFields(readFields(one)?.url_citation) ?? readFields(one);
        add(note?.url, note?.title);
      }
    },
    list: () =>
      [...titles].map(([address, title]) => {
        const { href: url, hostname: host } = new URL(address);
        return { url, host, title };
      }),
  };
}
