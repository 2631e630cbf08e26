// Keeps small texts by name in the person's browser. If the browser refuses to store anything, they are forgotten.

/** Reads a text; null if there is none. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(`parley-${name}`);
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. */
export function keep(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(`parley-${name}`);
    else localStorage.setItem(`parley-${name}`, text);
  } catch {
    // Nothing depends on it.
  }
}
