// What the page remembers of a person in their browser: small texts by name. A browser that refuses to keep anything forgets them.

/** The kept text; null if there is none. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(`parley-${name}`);
  } catch {
    return null;
  }
}

/** Keeps a text; null forgets it. */
export function keep(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(`parley-${name}`);
    else localStorage.setItem(`parley-${name}`, text);
  } catch {
    // Nothing depends on it.
  }
}
