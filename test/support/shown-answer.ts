// Reads an answer in Discord as tests need it: its own words, without the lines and buttons that the bot adds.
import { say } from "../../src/core/copy/notices.ts";

/** The content of a message without the line that shows the question (setting `show_question`). Words transcribed from a sound stay. */
export const withoutQuestion = (content: string): string => content.replace(/^> (?!🎙️).*\n/u, "");

/** The beginnings of lines that are below an answer only while more of it will come. */
const WORK_LINES = [
  say.thinking,
  say.stillWorking,
  say.resumed,
  say.openingThread,
  say.waiting(1, []).slice(0, "-# Waiting".length),
  say.usingTool("", 0).slice(0, "-# Using".length),
  say.approvalWanted("", { summary: "" }, false, 0).slice(0, "-# ⚠️ This needs approval".length),
];

/** Whether a line of the message says that more of it will come. */
export const hasWorkLine = (content: string): boolean =>
  content.split("\n").some((line) => WORK_LINES.some((beginning) => line.startsWith(beginning)));

interface Row {
  components?: { label?: string; custom_id?: string }[];
}

/** The buttons below a message, without Regenerate and Delete, which the newest complete answer has. */
export const openButtons = (rows: readonly unknown[]): { label?: string; custom_id?: string }[] =>
  (rows as Row[])
    .flatMap(({ components = [] }) => components)
    .filter(({ custom_id: id = "" }) => !/^(regenerate|delete):/.test(id));

/** Makes the response to an interaction that only the person sees and that mentions nobody. */
export const silently = (content: string) => ({
  type: 4,
  data: { content, flags: 64, allowed_mentions: { parse: [] } },
});
