// The files that come with a question: what they are, and what is told of them. Pure; fetching is others' work.

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

/** What a model can make of a file. */
export type AttachmentKind = "image" | "text" | "other";

/** The formats that models with eyes take. */
const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp)\b/;
const TEXT_TYPE =
  /^(text\/|application\/([\w.-]+\+)?(json|xml|javascript|ecmascript|x-ndjson|yaml|x-yaml|toml|sql|x-sh|graphql)\b)/;
/** Discord guesses the type from the name, and knows few of a programmer's. */
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/i;
const TEXT_NAME =
  /(\.(txt|md|markdown|csv|tsv|log|json[cl5]?|ndjson|xml|ya?ml|toml|ini|cfg|conf|env|diff|patch|tex|rst|html?|css|s[ac]ss|less|svg|[cm]?[jt]sx?|vue|svelte|py|rb|rs|go|java|kts?|scala|swift|[ch]|cc|cpp|hpp|cs|fs|php|pl|lua|r|jl|hs|exs?|erl|clj|dart|zig|nim|sql|graphql|proto|sh|bash|zsh|fish|ps1|bat|gradle|tf)|^(dockerfile|makefile|license|readme))$/i;

/** By its type, or by its name where the type says nothing. */
export function attachmentKind({
  contentType,
  filename,
}: Pick<Attachment, "contentType" | "filename">): AttachmentKind {
  const type = (contentType ?? "").toLowerCase();
  if (IMAGE_TYPE.test(type)) return "image";
  if (TEXT_TYPE.test(type)) return "text";
  if (type !== "" && !type.startsWith("application/octet-stream") && !TEXT_NAME.test(filename)) return "other";
  if (IMAGE_NAME.test(filename)) return "image";
  return TEXT_NAME.test(filename) ? "text" : "other";
}

/** The first file over the limit (bytes per file, as the interaction names it); null when all may come in. */
export function overLimit(attachments: readonly Attachment[], limit: number): Attachment | null {
  return attachments.find(({ size }) => size > limit) ?? null;
}

/** A question with the names of its files, as it stands in the transcript. */
export function withFileNames(text: string, attachments: readonly Attachment[] = []): string {
  if (attachments.length === 0) return text;
  return `${text}\n[files: ${attachments.map(({ filename }) => filename).join(", ")}]`;
}
