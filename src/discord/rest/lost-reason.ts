// Says why a request got no answer, in words for a person.

/** The reason when a web page came instead of an answer. */
export const A_PAGE = "a web page came instead";

/** Returns the reason. The message of Node's fetch is usually just "fetch failed", and the reason is in its cause. Never empty. */
export function lostReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // For an address with a password, Node's message contains the whole address.
  if (!(cause instanceof Error)) return error.message.replace(/(includes credentials): .*/s, "$1");
  return cause.message || ("code" in cause ? String(cause.code) : error.message);
}
