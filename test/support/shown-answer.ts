// What the tests read of an answer in Discord: its own words, without what stands beside them.

/** The content of a message without the line that shows the question (setting `show_question`); what was heard in a sound stays. */
export const withoutQuestion = (content: string): string => content.replace(/^> (?!🎙️).*\n/u, "");

interface Row {
  components?: { label?: string; custom_id?: string }[];
}

/** The buttons below a message, without Regenerate and Delete, which the newest complete answer has. */
export const openButtons = (rows: readonly unknown[]): { label?: string; custom_id?: string }[] =>
  (rows as Row[])
    .flatMap(({ components = [] }) => components)
    .filter(({ custom_id: id = "" }) => !/^(regenerate|delete):/.test(id));
