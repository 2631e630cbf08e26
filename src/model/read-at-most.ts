// Reads the bytes of a response, up to a limit.
import { collectBytes } from "../core/bytes.ts";

/** Returns the whole body; null if it is longer. */
export async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array | null> {
  const { add, first } = collectBytes();
  for await (const chunk of body ?? []) if (add(chunk) > maxBytes) return null;
  return first();
}
