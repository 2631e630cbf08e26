// The name under which Discord stores a file: only plain letters, digits, dots, dashes and underscores.

/** `title`: the sender's name for the file, without its extension, if Discord changed it. */
export interface FileName {
  filename: string;
  title?: string;
}

/** Returns the stored name. If nothing but the extension would be left, the name is made up, here from `id`. */
export function storedName(given: string, id: string): FileName {
  const [, base = "", extension = ""] = /^(.*?)(\.[^.]*)?$/s.exec(given) ?? [];
  const filename = (plain(base) || BigInt(id).toString(16)) + extension.replace(NOT_PLAIN, "");
  return filename === given ? { filename } : { filename, title: base };
}

/** Returns the name as Discord's client shows it. */
export const shownName = ({ filename, title }: FileName): string =>
  title === undefined ? filename : title + (/\.[^.]*$/.exec(filename)?.[0] ?? "");

const NOT_PLAIN = /[^\w.-]/g;

const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\s+/g, "_")
    .replace(NOT_PLAIN, "")
    .replace(/^[._]+|[._]+$/g, "");
