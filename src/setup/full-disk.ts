// Detects a full disk, which makes Node throw from whatever writes a file or makes a folder.

/** Whether the error means that the disk is full, or that this person's quota is used up. */
export const isFull = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Runs the work, which writes files. Returns false if there was no room for them. */
export function hasRoomFor(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (!isFull(error)) throw error;
    return false;
  }
}
