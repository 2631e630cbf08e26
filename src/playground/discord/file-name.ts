// The name under which Discord keeps a file: plain letters, digits, dots, dashes and underscores alone.

/** `title`: the name that the sender gave, without its extension, where Discord has made another of it. */
export interface FileName {
  filename: string;
  title?: string;
}

/** A name of which nothing would be left but its extension becomes a made-up one, here out of `id`. */
export function storedName(given: string, id: string): FileName {
  const [, base = "", extension = ""] = /^(.*?)(\.[^.]*)?$/s.exec(given) ?? [];
  const filename = (plain(base) || BigInt(id).toString(16)) + extension.replace(NOT_PLAIN, "");
  return filename === given ? { filename } : { filename, title: base };
}

/** The name as Discord's client shows it. */
export const shownName = ({ filename, title }: FileName): string =>
  title === undefined ? filename : title + (/\.[^.]*$/.exec(filename)?.[0] ?? "");

const NOT_PLAIN = /[^\w.-]/g;

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\s+/g, "_")
    .replace(NOT_PLAIN, "")
    .replace(/^[._]+|[._]+$/g, "");
