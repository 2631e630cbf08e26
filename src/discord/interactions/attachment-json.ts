// Converts Discord's attachment JSON to our form, whether it comes from an option, a form's upload or a message.
import { catchall, looseObject, nullish, number, object, optional, type output, string } from "zod/mini";
import { once } from "../../core/once.ts";
import type { Attachment } from "../../core/state/attachments.ts";
import { foldedText } from "../../core/transcript/asides.ts";

/** The shape of one attachment (docs: resources/message, "Attachment Object"). */
export const attachmentJson = once(() =>
  looseObject({
    id: string(),
    filename: string(),
    size: number(),
    url: string(),
    proxy_url: optional(string()),
    content_type: nullish(string()),
    duration_secs: optional(number()),
  }),
);

/** The shape of `resolved.attachments` in an interaction: id → attachment. */
export const resolvedAttachments = once(() => catchall(object({}), attachmentJson()));

/** Converts one attachment. Its name becomes one line of what people see: models and people read it within a line of ours. */
export function attachmentFrom(json: output<ReturnType<typeof attachmentJson>>): Attachment {
  const { id, size, url, proxy_url, content_type, duration_secs: seconds } = json;
  const filename = foldedText(json.filename);
  const length = seconds === undefined ? {} : { seconds };
  return { id, filename, contentType: content_type ?? null, size, ...length, url, proxyUrl: proxy_url ?? url };
}
