// The requests that read and change the local world. Draws nothing.
import type { Picked } from "./commands.ts";
import type { WorldState } from "./shapes.ts";

/** Which channel is shown, and to whom. If one is unknown at first, the world uses its first channel or person. */
export type View = { channel?: string | undefined; as?: string | undefined };
/** The result of a request. The error is a sentence for the person. */
export type Answer = { ok: true } | { ok: false; error: string };

/** Builds the query of a view, without unknown fields. */
export function buildQuery(view: View): string {
  const known = Object.entries(view).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(known).toString();
}

/** Reads the world once. Rejects if the playground does not answer. */
export async function readWorld(view: View): Promise<WorldState> {
  const response = await fetch(`/local/state?${buildQuery(view)}`);
  if (!response.ok) throw new Error(`The playground answered ${response.status}.`);
  return await response.json();
}

type Where = { channel: string; as: string };

/** Sends an ordinary message, with mentions as Discord writes them. */
export const speak = (
  where: Where,
  message: { content: string; file?: Picked; replyTo?: string; ping?: boolean },
): Promise<Answer> => post("/local/speak", { ...where, ...message });

/** Shows a person as typing. */
export const tellTyping = (where: Where): Promise<Answer> => post("/local/typing", where);

/** What a person does with an existing message. */
export type Touch =
  | { kind: "edit"; content: string }
  | { kind: "delete" }
  | { kind: "react" | "unreact"; emoji: string };

/** Changes a message as a person. */
export const touch = (as: string, messageId: string, act: Touch): Promise<Answer> =>
  post("/local/touch", { as, messageId, ...act });

/** Clicks a message's button as a person. */
export const click = (channel: string, as: string, messageId: string, customId: string): Promise<Answer> =>
  post("/local/click", { channel, as, messageId, customId });

/** The result of a request, with what the application showed in answer. */
export type PostResult = Answer & { seen?: string; shown?: unknown };

/** Sends the playground a request. Never rejects. */
export async function post(path: string, body: object): Promise<PostResult> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: { ok?: boolean; error?: unknown; seen?: string; shown?: unknown } = await response
      .json()
      .catch(() => ({}));
    const { seen, shown } = answer;
    if (response.ok && answer.ok !== false) return { ok: true, ...(seen !== undefined && { seen }), shown };
    return {
      ok: false,
      error: typeof answer.error === "string" ? answer.error : `The playground refused this with ${response.status}.`,
    };
  } catch {
    return { ok: false, error: "The playground does not answer. Is it still running?" };
  }
}
