// Discord's refusals: its error bodies, codes and their usual HTTP statuses (docs: topics/opcodes-and-status-codes). Decides nothing; the code
// that finds the fault picks the refusal.

/** A route's answer. Without `body` the answer is empty. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** One fault of a request body. `code` is Discord's; a code that starts with LOCAL_ stands for a rule that Discord does not have. */
export interface Fault {
  path: readonly (string | number)[];
  code: string;
  message: string;
}

const REFUSALS = {
  notFound: [404, 0, "404: Not Found"],
  methodNotAllowed: [405, 0, "405: Method Not Allowed"],
  unauthorized: [401, 0, "401: Unauthorized"],
  unknownChannel: [404, 10003, "Unknown Channel"],
  unknownMember: [404, 10007, "Unknown Member"],
  unknownMessage: [404, 10008, "Unknown Message"],
  unknownUser: [404, 10013, "Unknown User"],
  unknownEmoji: [400, 10014, "Unknown Emoji"],
  unknownWebhook: [404, 10015, "Unknown Webhook"],
  unknownInteraction: [404, 10062, "Unknown interaction"],
  entityTooLarge: [413, 40005, "Request entity too large"],
  alreadyAcknowledged: [400, 40060, "Interaction has already been acknowledged."],
  tooManyFollowups: [400, 40094, "Maximum number of follow-up messages reached for this interaction"],
  badUserAgent: [403, 40333, "internal network error"],
  missingAccess: [403, 50001, "Missing Access"],
  notTheAuthor: [403, 50005, "Cannot edit a message authored by another user"],
  emptyMessage: [400, 50006, "Cannot send an empty message"],
  recipientRefuses: [403, 50007, "Cannot send messages to this user"],
  missingPermissions: [403, 50013, "Missing Permissions"],
  invalidToken: [401, 50027, "Invalid Webhook Token"],
  tooManyReactions: [400, 30010, "Maximum number of reactions reached (20)"],
  cannotReadHistory: [400, 160002, "Cannot reply without permission to read message history"],
  threadExists: [400, 160004, "A thread has already been created for this message"],
  tooManyWebhooks: [400, 30007, "Maximum number of webhooks reached (15)"],
  notInThisChannel: [400, 50024, "Cannot execute action on this channel type"],
  invalidRecipients: [400, 50033, "Invalid Recipient(s)"],
  entryPointMissing: [
    400,
    50240,
    "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately.",
  ],
  invalidJson: [400, 50109, "The request body contains invalid JSON."],
} as const satisfies Record<string, readonly [status: number, code: number, message: string]>;

/** The names of the refusals that have only a code and a sentence. */
export type Refusal = keyof typeof REFUSALS;

/** Builds Discord's answer for a refusal. */
export function refuse(refusal: Refusal): Answer {
  const [status, code, message] = REFUSALS[refusal];
  return { status, body: { message, code } };
}

/** Builds 400/50035: the faults as Discord's tree, keyed by field, with a field's faults under `_errors`. */
export function invalidForm(faults: readonly Fault[]): Answer {
  const tree: FaultTree = {};
  for (const { path, code, message } of faults) {
    let at = tree;
    for (const key of path) {
      const below = (at[key] ?? {}) as FaultTree;
      at[key] = below;
      at = below;
    }
    at._errors = [...(at._errors ?? []), { code, message }];
  }
  return { status: 400, body: { message: "Invalid Form Body", code: 50035, errors: tree } };
}

interface FaultTree {
  _errors?: { code: string; message: string }[];
  [field: string]: unknown;
}

/** Returns the `code` of an error body; null if the answer is not one of Discord's errors. */
export function errorCode(answer: Answer): number | null {
  const body = answer.body as { code?: unknown } | null | undefined;
  return answer.status >= 400 && typeof body?.code === "number" ? body.code : null;
}
