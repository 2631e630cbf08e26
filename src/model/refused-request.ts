// The error of a refused request. Its content is read in provider-error.ts, which is loaded when a request is refused.
import type { ProviderFacts } from "./provider-error.ts";

/** A refused request. */
export class ProviderError extends Error {
  readonly facts: ProviderFacts;
  readonly headers: Headers;

  constructor(facts: ProviderFacts, headers: Headers) {
    super(facts.message);
    this.facts = facts;
    this.headers = headers;
  }
}
