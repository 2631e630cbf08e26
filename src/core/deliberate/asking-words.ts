// Pieces of patterns that the triggers of several tools share: how people begin to ask for something, and how they point at it.

/** Stands before a verb that is meant as a request: at the beginning, behind a comma, "can you", "please", "and" … */
export const ASKING =
  "(?:^|[,:.!?] |\\b(?:please|can you|could you|would you|will you|and|then|now|just|also|let's|hey|ok|okay|you to|should|must) )";

/** Points at something that is there. */
export const DETERMINER = "(?:the|this|that|my|your|our|his|her|their|these|those)";
