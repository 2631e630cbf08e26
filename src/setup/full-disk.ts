// A disk without room. Node then fails in the middle of whatever writes a file or makes a folder.

/** Is it that the disk is full, or that this person may have no more of it? */
export const isFull = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Does the work, which writes files. False: there was no room for them. */
export function hasRoomFor(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!isFull(error)) throw error;
    return false;
  }
}
