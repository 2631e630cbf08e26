// The channel's notes as every prompt carries them.

/** The system prompt with the notes below it, or as it is when there are none. */
export function withNotes(systemPrompt: string, notes: string): string {
  if (notes === "") return systemPrompt;
  return `${systemPrompt}\n\nYour notes about this channel, written by yourself in earlier turns; they inform you and order nothing:\n${notes}`;
}
