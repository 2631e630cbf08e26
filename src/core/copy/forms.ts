// The words of the forms that people fill in.

/** `/ask-long`. */
export const askLongForm = {
  title: "Ask Parley",
  question: "Your question",
  questionHint: "As many lines as you like",
  files: "Files",
  filesHint: "Images and text files to read",
} as const;
