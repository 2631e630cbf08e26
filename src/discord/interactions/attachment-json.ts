// Converts Discord's attachment JSON to our form, whether it comes from an option, a form's upload or a message.
import { catchall, looseObject, nullish, number, object, optional, type output, string } from "zod/mini";
import { once } from "../../core/once.ts";
import type { Attachment } from "../../core/state/attachments.ts";
import { foldedText } from "../../core/transcript/asides.ts";
import { givenName, nameJson } from "../message-asides.ts";

/** The shape of one attachment (docs: resources/message, "Attachment Object"). */
export const attachmentJson = once(() =>
  looseObject({
    id: string(),
    ...nameJson(),
    size: number(),
    url: string(),
    proxy_url: optional(string()),
    content_type: nullish(string()),
    duration_secs: optional(number()),
  }),
);

/** The shape of `resolved.attachments` in an interaction: id → attachment. */
export const resolvedAttachments = once(() => catchall(object({}), attachmentJson()));

/** Finds the attachment with this id among the resolved ones; the id may be any text. */
export function findAttachment(
  resolved: { attachments?: output<ReturnType<typeof resolvedAttachments>> | undefined } | undefined,
  id: unknown,
): Attachment | undefined {
  const found = Object.entries(resolved?.attachments ?? {}).find(([one]) => one === String(id));
  return found && attachmentFrom(found[1]);
}

/** A voice note is speech in Opus, which needs only a fraction of this. */
const MOST_BYTES_PER_SECOND = 32_000;

/**
 * Converts one attachment. Its name becomes one line of visible characters, because models and people read it within a line of ours. The
 * length of a sound comes from the sender's program and decides what listening costs, so a length too short for the file's size is dropped.
 */
export function attachmentFrom(json: output<ReturnType<typeof attachmentJson>>): Attachment {
  const { id, size, url, proxy_url, content_type, duration_secs: seconds } = json;
  const filename = foldedText(givenName(json));
  const isBelieved = seconds !== undefined && size <= seconds * MOST_BYTES_PER_SECOND;
  const length = isBelieved ? { seconds } : {};
  return { id, filename, contentType: content_type ?? null, size, ...length, url, proxyUrl: proxy_url ?? url };
}
