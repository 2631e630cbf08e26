// Converts the world to texts that a storage can keep, and back: one text for each thing in it, and several for a long file. Leaves out what
// ends with the process: the logs, the rate limits' windows, who is typing, and the Gateway's sessions with a reset token.
import type { Attachment, World } from "./world.ts";

/** Texts by key. Their order is the order of what they describe. */
export type Records = ReadonlyMap<string, string>;

/** Changes when older records can't be read any more. */
const FORMAT = "1";
/** The longest text, in characters. A SQLite row is limited to 2 MB. */
const MAX_TEXT = 1_000_000;
const BYTES_PER_TEXT = (MAX_TEXT / 4) * 3;
const KINDS = [
  "people",
  "servers",
  "channels",
  "messages",
  "interactions",
  "webhooks",
  "commands",
  "modals",
  "nonces",
] as const;

/** Records the whole world. A repeated call does not encode the files again. */
export function recordWorld(world: World): Map<string, string> {
  const records = new Map([
    ["format", FORMAT],
    ["options", encode(world.options)],
  ]);
  for (const file of world.attachments.values()) {
    const { bytes: _, ...about } = file;
    const texts = fileTexts(file);
    records.set(`attachments/${file.id}`, encode({ ...about, texts: texts.length }));
    for (const [n, text] of texts.entries()) records.set(`bytes/${file.id}/${n}`, text);
  }
  for (const kind of KINDS) for (const [id, thing] of world[kind]) records.set(`${kind}/${id}`, encode(thing));
  return records;
}

/** Restores the world. Returns false and changes nothing if there are no records, or they have another format. */
export function restoreWorld(world: World, records: Records): boolean {
  if (records.get("format") !== FORMAT) return false;
  Object.assign(world.options, decode(records.get("options") ?? "{}", world));
  for (const kind of [...KINDS, "attachments"] as const) world[kind].clear();
  // The files come first, because messages refer to them.
  for (const [id, text] of ofKind(records, "attachments")) {
    const { texts, ...about } = decode(text, world) as Omit<Attachment, "bytes"> & { texts: number };
    const pieces = Array.from({ length: texts }, (_, n) => atob(records.get(`bytes/${id}/${n}`) ?? ""));
    const bytes = Uint8Array.from(pieces.join(""), (one) => one.charCodeAt(0));
    world.attachments.set(id, { ...about, bytes });
  }
  for (const kind of KINDS) {
    const things = world[kind] as Map<string, unknown>;
    for (const [id, text] of ofKind(records, kind)) things.set(id, decode(text, world));
  }
  // A function can't be recorded. Whoever waited for it is gone.
  for (const interaction of world.interactions.values()) interaction.onOutcome = () => {};
  return true;
}

/** Lists the records of one kind, with the id instead of the key. */
const ofKind = (records: Records, kind: string): [id: string, text: string][] =>
  [...records].flatMap(([key, text]): [string, string][] =>
    key.startsWith(`${kind}/`) ? [[key.slice(kind.length + 1), text]] : [],
  );

const BIGINT = "~bigint";
const MAP = "~map";
const FILE = "~file";

const encode = (thing: unknown): string =>
  JSON.stringify(thing, (_, value) => {
    if (typeof value === "bigint") return { [BIGINT]: String(value) };
    if (value instanceof Map) return { [MAP]: [...value] };
    return isFile(value) ? { [FILE]: value.id } : value;
  });

const decode = (text: string, { attachments }: World): unknown =>
  JSON.parse(text, (_, value) => {
    if (typeof value !== "object" || value === null) return value;
    if (BIGINT in value) return BigInt(value[BIGINT]);
    if (MAP in value) return new Map(value[MAP]);
    return FILE in value ? attachments.get(value[FILE]) : value;
  });

const isFile = (value: unknown): value is Attachment =>
  typeof value === "object" && value !== null && "bytes" in value && value.bytes instanceof Uint8Array;

/** A stored file never changes, so its texts are made once. */
const textsOfFiles = new WeakMap<Attachment, string[]>();

function fileTexts(file: Attachment): string[] {
  const known = textsOfFiles.get(file);
  if (known) return known;
  const texts: string[] = [];
  for (let at = 0; at < file.bytes.length; at += BYTES_PER_TEXT)
    texts.push(base64(file.bytes.subarray(at, at + BYTES_PER_TEXT)));
  textsOfFiles.set(file, texts);
  return texts;
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
