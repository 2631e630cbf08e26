// The words of the forms that people fill in.

/** `/ask-long`. */
export const askLongForm = {
  title: "Ask Parley",
  question: "Your question",
  questionHint: "As many lines as you like",
  files: "Files",
  filesHint: "Images and text files to read",
} as const;

/** The form for the code of a remote server, and its button. */
export const connectCodeForm = {
  open: "Enter the code",
  title: "Finish signing in",
  code: "The code on the page",
  codeHint: "Eight letters and digits",
} as const;
