// Pieces of patterns that the triggers of several tools share: how people start a request, and how they point at
// something.

/** Precedes a verb that is meant as a request: the start of the text, a comma, "can you", "please", "and" … */
export const ASKING =
  "(^|[,:.!?] |\\b(please|can you|could you|would you|will you|and|then|now|just|also|let's|hey|ok|okay|you to|should|must) )";

/** Points at something that is already there. */
export const DETERMINER = "(the|this|that|my|your|our|his|her|their|these|those)";
