// Pictures and files that a message shows without having them as attachments: in its embeds, and among its components.
import { looseObject, nullish, number, optional, string } from "zod/mini";
import { once } from "../../core/once.ts";
import type { Attachment } from "../../core/state/attachments.ts";
import { attachmentFrom } from "./attachment-json.ts";

/** A picture or a file (docs: components/reference, "Unfurled Media Item"; resources/message, "Embed Image Structure"). */
const shownJson = once(() =>
  looseObject({
    url: string(),
    proxy_url: optional(string()),
    content_type: nullish(string()),
    size: optional(number()),
  }),
);

/** The parts of a message that may show something. */
export interface Showing {
  attachments?: readonly { url: string }[] | undefined;
  embeds?: readonly Readonly<Record<string, unknown>>[] | undefined;
  components?: unknown;
}

/** As many as a message may have attachments. */
const MAX_FILES = 10;
/** A link to a picture. Of other links the thumbnail is a mere sign. */
const IS_PICTURE = /^(?:image|gifv)$/;

/** In the order of the message. What has another form is left out. */
export function shownFiles({ attachments = [], embeds = [], components }: Showing): Attachment[] {
  const pictures = embeds.map(
    ({ type, image, thumbnail }) => image ?? (IS_PICTURE.test(String(type)) ? thumbnail : undefined),
  );
  const found = [
    // Discord does not always name the type, and in these places an embed shows nothing but pictures.
    ...pictures.map((picture) => ({ content_type: "image/png", ...(picture as object) })),
    ...filesIn(components),
  ];
  const known = new Set(attachments.map(unsigned));
  return found.flatMap((json) => fileFrom(json, known) ?? []).slice(0, MAX_FILES);
}

/** The pictures whose links are in the text of a message, where a person wrote it; what a page shows of itself is none. */
export const linkedPictures = ({ attachments, embeds }: Showing): Attachment[] =>
  shownFiles({ attachments, embeds: embeds?.filter(({ type }) => IS_PICTURE.test(String(type))) });

/** A gallery, a thumbnail and a file have what they show in fields of these names, and nothing else has (docs: components/reference). */
function filesIn(json: unknown): unknown[] {
  if (typeof json !== "object" || json === null) return [];
  const { size } = json as { size?: unknown };
  return Object.entries(json).flatMap(([key, value]) =>
    key === "media" || key === "file" ? [{ size, ...(value as object) }] : filesIn(value),
  );
}

function fileFrom(json: unknown, known: Set<string>): Attachment | null {
  const { data } = shownJson().safeParse(json);
  const path = data && URL.parse(data.url)?.pathname;
  if (!path) return null;
  const { url, proxy_url: proxy = url, size = 0 } = data;
  const id = unsigned(data);
  if (known.has(id)) return null;
  known.add(id);
  const filename = path.split("/").at(-1) || "picture";
  // Wherever a picture is, Discord has it at the address of its proxy.
  return attachmentFrom({ ...data, id, filename, size, url: proxy, proxy_url: url });
}

/** Discord signs the address of a file of its own anew each time. In other addresses the query may say which picture it is. */
const unsigned = ({ url }: { url: string }): string => url.replace(/\?ex=.*/, "");
