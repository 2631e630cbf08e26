// Finds the pictures and files that a message shows without having them as attachments: in its embeds, and among its components.
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

/** The same limit as for a message's attachments. */
const MAX_FILES = 10;
/** The embed types of a link to a picture. The thumbnail of any other link is only decoration. */
const IS_PICTURE = /^(?:image|gifv)$/;

/** Lists the files in the order of the message: embeds first. Leaves out those of an unknown form. */
export function shownFiles({ attachments = [], embeds = [], components }: Showing): Attachment[] {
  const pictures = embeds.map(
    ({ type, image, thumbnail }) => image ?? (IS_PICTURE.test(String(type)) ? thumbnail : undefined),
  );
  const found = [
    // Discord does not always name the type, but in these places an embed shows only pictures.
    ...pictures.map((picture) => ({ content_type: "image/png", ...(picture as object) })),
    ...filesIn(components),
  ];
  const known = new Set(attachments.map(unsigned));
  return found.flatMap((json) => fileFrom(json, known) ?? []).slice(0, MAX_FILES);
}

/** Lists the pictures that a person linked to in a message. A linked page's own preview picture doesn't count. */
export const linkedPictures = ({ attachments, embeds }: Showing): Attachment[] =>
  shownFiles({ attachments, embeds: embeds?.filter(({ type }) => IS_PICTURE.test(String(type))) });

/** Only a gallery, a thumbnail and a file have fields with these names, and show what is in them (docs: components/reference). */
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
  // Wherever a picture is hosted, Discord's proxy has a copy.
  return attachmentFrom({ ...data, id, filename, size, url: proxy, proxy_url: url });
}

/** Removes the signature from the address of a file that Discord hosts: it differs each time. Elsewhere the query may identify the picture. */
const unsigned = ({ url }: { url: string }): string => url.replace(/\?ex=.*/, "");
