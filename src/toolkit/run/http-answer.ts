// Reads HTTP responses for tools: the body within a limit, and a refusal as a failure of the tool.
import { collectBytes } from "../../core/bytes.ts";
import type { Failure } from "../define/channel-actions.ts";
import { isTransientStatus, secondsOfHeader } from "./transient.ts";

/** The bytes that were read. `cut`: there were more, and the connection was closed. */
export interface LimitedBody {
  bytes: Uint8Array;
  cut: boolean;
}

/** Reads at most `maxBytes`, counted after decompression. Throws what the connection throws, including its signal's reason. */
export async function readBody(response: Response, maxBytes: number): Promise<LimitedBody> {
  const { add, first } = collectBytes();
  for await (const chunk of response.body ?? [])
    if (add(chunk) > maxBytes) return { bytes: first(maxBytes), cut: true };
  return { bytes: first(), cut: false };
}

/** Describes a refusal; `who` begins the sentence. Does not read the body. */
export async function readRefusal(who: string, response: Response): Promise<Failure> {
  await response.body?.cancel();
  return describeRefusal(who, response);
}

/** Does the same for a caller that has read the body. */
export function describeRefusal(who: string, { status, statusText, headers }: Response): Failure {
  const retryAfterMs = secondsOfHeader(headers.get("retry-after"));
  const wait = !retryAfterMs ? "" : `, asking to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return {
    ok: false,
    error: `${who} answered ${`${status} ${statusText}`.trim()}${wait}`,
    retryable: isTransientStatus(status),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
}
