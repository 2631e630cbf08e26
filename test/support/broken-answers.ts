// Answers that are not what they should be: lost, of the wrong shape, or far too large.
import { type FaultKind, MARK } from "../faults/plan.ts";

const MEBIBYTE = 1024 * 1024;
const HUGE = "x".repeat(10 * MEBIBYTE);
const LARGE = "y".repeat(3 * MEBIBYTE);

/** What comes back instead of the answer to a request that was carried out. */
export async function brokenAnswer(kind: FaultKind | null, response: Response, name: string): Promise<Response> {
  const { status, headers } = response;
  if (kind === "rejects" || kind === "garbage") await response.body?.cancel();
  switch (kind) {
    case "rejects":
      throw new Error(`${MARK}: the answer to ${name} was lost`);
    case "garbage":
      return new Response('[null, {"id": {}, "code": "what", "choices": 7, "jsonrpc": []}]', { status: 200 });
    case "huge": {
      const text = await response.text();
      return new Response(text.startsWith("{") ? `{"more":"${HUGE}",${text.slice(1)}` : HUGE, { status, headers });
    }
    case "large": {
      const text = await response.text();
      const grown = text.replaceAll('"Does send."', `"${LARGE}"`).replaceAll(/"sent as number \d+"/g, `"${LARGE}"`);
      return new Response(text === "" ? null : grown, { status, headers });
    }
    default:
      return response;
  }
}

/** What a tool gives instead of its result. */
export function brokenToolAnswer<Result>(kind: FaultKind | null, result: Result, name: string): Result {
  switch (kind) {
    case "rejects":
      throw new Error(`${MARK}: the result of ${name} was lost`);
    case "garbage":
      return circular() as Result;
    case "huge":
      return { ok: true, data: HUGE } as Result;
    case "twice":
      return twice(result) as Result;
    default:
      return result;
  }
}

function circular(): object {
  const itself: Record<string, unknown> = { ok: "yes", data: 7n };
  itself.itself = itself;
  return itself;
}

/** A foreign promise (a thenable) that calls back twice. */
const twice = <Result>(result: Result) => ({
  // biome-ignore lint/suspicious/noThenProperty: that is the fault.
  then(resolve: (result: Result) => void) {
    resolve(result);
    resolve(result);
  },
});
