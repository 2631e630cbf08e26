// Reads what a server says when it wants a token: the header WWW-Authenticate with the scheme Bearer.

/** The parts of a challenge that are used here; null: missing. */
export interface Challenge {
  resourceMetadata: string | null;
  scope: string | null;
  error: string | null;
}

/** Reads the header; all null if it is missing or has another scheme. Never throws. */
export function readChallenge(header: string | null): Challenge {
  const [, bearer = ""] = /(?:^|,)\s*bearer\s+(.*)$/is.exec(header ?? "") ?? [];
  const said = new Map<string, string>();
  // A name is matched only from its start; otherwise a long word would be read again from each of its letters.
  for (const [, name = "", quoted, plain = ""] of bearer.matchAll(
    /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g,
  ))
    if (!said.has(name.toLowerCase())) said.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain);
  const of = (name: string) => said.get(name) ?? null;
  return { resourceMetadata: of("resource_metadata"), scope: of("scope"), error: of("error") };
}
