// The files that come with a question. Pure; fetching is others' work.

/** A file of a person's, as Discord describes it. Both addresses are signed and expire (Discord's CDN). */
export interface Attachment {
  id: string;
  filename: string;
  contentType: string | null;
  /** Bytes. */
  size: number;
  url: string;
  /** The same file behind Discord's media proxy. */
  proxyUrl: string;
}

/** The first file over the limit (bytes per file, as the interaction names it); null when all may come in. */
export function overLimit(attachments: readonly Attachment[], limit: number): Attachment | null {
  return attachments.find(({ size }) => size > limit) ?? null;
}
