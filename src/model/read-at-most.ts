// The bytes of an answer, as long as there are not too many.
import { collectBytes } from "../core/bytes.ts";

/** The whole body; null when there is more. */
export async function readAtMost({ body }: Response, maxBytes: number): Promise<Uint8Array | null> {
  const { add, first } = collectBytes();
  for await (const chunk of body ?? []) if (add(chunk) > maxBytes) return null;
  return first();
}
