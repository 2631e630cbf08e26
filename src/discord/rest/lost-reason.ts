// Why a request got no answer, in words for a person.

/** What came in the place of an answer. */
export const A_PAGE = "a web page came in its place";

/** What Node's fetch says is mostly "fetch failed"; the reason is in its cause. Never empty. */
export function lostReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Of an address with a password Node shows all.
  if (!(cause instanceof Error)) return error.message.replace(/(includes credentials): .*/s, "$1");
  return cause.message || ("code" in cause ? String(cause.code) : error.message);
}
