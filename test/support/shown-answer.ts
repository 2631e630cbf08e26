// What the tests read of an answer in Discord: its own words, without what stands beside them.

/** The content of a message without the line that shows the question (setting `show_question`). */
export const withoutQuestion = (content: string): string => content.replace(/^> .*\n/, "");
