// Checks bodies against the schemas of Discord's spec, and describes faults in Discord's words. Limits that the spec does not state are in
// rules.ts.
/// <reference path="./spec.d.ts" />
import {
  ApplicationCommandAutocompleteCallbackRequestSchema,
  ApplicationCommandUpdateRequestSchema,
  ApplicationFormPartialSchema,
  CreateMessageInteractionCallbackRequestSchema,
  CreatePrivateChannelRequestSchema,
  CreateTextThreadWithMessageRequestSchema,
  CreateTextThreadWithoutMessageRequestSchema,
  IncomingWebhookRequestPartialSchema,
  IncomingWebhookUpdateRequestPartialSchema,
  MessageCreateRequestSchema,
  MessageEditRequestPartialSchema,
  ModalInteractionCallbackRequestSchema,
  PongInteractionCallbackRequestSchema,
  UpdateMessageInteractionCallbackRequestSchema,
} from "discord-api-spec/zod";
import { array, maxLength, safeParse, union } from "zod/mini";
import type { $ZodIssue, $ZodType } from "zod/v4/core";
import { closed } from "./close.ts";
import type { Fault } from "./errors.ts";

const MAX_COMMANDS = 130; // 100 slash, 15 user and 15 message commands in one overwrite

const SCHEMAS = {
  followup: closed(IncomingWebhookRequestPartialSchema),
  webhookEdit: closed(IncomingWebhookUpdateRequestPartialSchema),
  channelMessage: closed(MessageCreateRequestSchema),
  channelEdit: closed(MessageEditRequestPartialSchema),
  thread: closed(CreateTextThreadWithoutMessageRequestSchema),
  messageThread: closed(CreateTextThreadWithMessageRequestSchema),
  directMessage: closed(CreatePrivateChannelRequestSchema),
  commands: array(closed(ApplicationCommandUpdateRequestSchema)).check(maxLength(MAX_COMMANDS)),
  application: closed(ApplicationFormPartialSchema),
  callback: union([
    closed(PongInteractionCallbackRequestSchema),
    closed(CreateMessageInteractionCallbackRequestSchema),
    closed(UpdateMessageInteractionCallbackRequestSchema),
    closed(ApplicationCommandAutocompleteCallbackRequestSchema),
    closed(ModalInteractionCallbackRequestSchema),
  ]),
} satisfies Record<string, $ZodType>;

/** The kinds of request body that have a schema. */
export type BodyKind = keyof typeof SCHEMAS;

/** Fields that Discord ignores where they have no meaning. discord.js sends them with every message. */
const DROPPED = new Set(["enforce_nonce", "tts"]);

/** Lists the faults of `body` under the closed schema of its kind; empty if it is well formed. */
export function schemaFaults(kind: BodyKind, body: unknown): Fault[] {
  const parsed = safeParse<$ZodType>(SCHEMAS[kind], body, { reportInput: true });
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => describeIssue(issue, []));
}

function describeIssue(issue: $ZodIssue, above: readonly (string | number)[]): Fault[] {
  const path = [...above, ...issue.path.map((key) => (typeof key === "symbol" ? String(key) : key))];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys
        .filter((key) => !DROPPED.has(key))
        .map((key) => ({
          path: [...path, key],
          code: "LOCAL_UNKNOWN_FIELD",
          message: "Discord has no such field here.",
        }));
    case "invalid_union":
      return unionFaults(issue.errors, path);
    case "too_big":
      return [{ path, code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${issue.maximum} or fewer in length.` }];
    case "too_small":
      return [{ path, code: "BASE_TYPE_MIN_LENGTH", message: `Must be ${issue.minimum} or more in length.` }];
    case "invalid_type":
      return [
        issue.input === undefined
          ? { path, code: "BASE_TYPE_REQUIRED", message: "This field is required" }
          : { path, code: "BASE_TYPE_BAD_TYPE", message: `Must be of type ${issue.expected}.` },
      ];
    case "invalid_value":
      return [{ path, code: "BASE_TYPE_CHOICES", message: `Value must be one of {${issue.values.join(", ")}}.` }];
    default:
      return [{ path, code: "BASE_TYPE_INVALID", message: issue.message }];
  }
}

/** Describes the faults of a union: those of the branch with the right `type`, because the other branches only say that the type is wrong. */
function unionFaults(branches: readonly $ZodIssue[][], path: readonly (string | number)[]): Fault[] {
  const fits = branches.find((issues) => !issues.some(({ path: at }) => at.length === 1 && at[0] === "type"));
  if (fits?.some((issue) => issue.path.length > 0 || issue.code !== "invalid_type"))
    return fits.flatMap((issue) => describeIssue(issue, path));
  return [{ path, code: "UNION_TYPE_CHOICES", message: "Value fits none of the types allowed here." }];
}
