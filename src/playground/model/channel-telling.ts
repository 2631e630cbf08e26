// How the local model reports the results of channel tools. Results of an unexpected shape are left to telling.ts.

type Fields = Record<string, unknown>;

const TELLERS: Record<string, (fields: Fields) => string | undefined> = {
  set_reminder: ({ number, text, timestamp, every, note }) => {
    if (timestamp === undefined) return undefined;
    const when = every === undefined ? ` for ${timestamp}` : `, ${every} from ${timestamp}`;
    return `⏰ Reminder ${number} is set${when}: ${text}.${note === undefined ? "" : ` Mind that ${note}.`}`;
  },
  list_reminders: ({ pending }) =>
    listed(pending, "There are no reminders.", ({ number, text, timestamp, every, paused }) => {
      const next = paused === undefined ? timestamp : "paused";
      return `${number}. ${text}, ${every === undefined ? next : `${every}, ${next}`}`;
    }),
  cancel_reminder: ({ number, cancelled }) =>
    cancelled === undefined ? undefined : cancelled ? `Reminder ${number} is canceled.` : "There was no such reminder.",
  remember: ({ number, text }) =>
    number === undefined ? undefined : `I'll remember that, as number ${number}: ${text}`,
  recall: ({ found }) =>
    listed(
      found,
      "I don't remember anything about that.",
      ({ number, text, toldBy }) => `${number}. ${text} (from ${toldBy})`,
    ),
  forget: ({ number, forgotten }) =>
    forgotten === undefined ? undefined : forgotten ? `Number ${number} is forgotten.` : "There was nothing to forget.",
  add_reaction: ({ emoji }) => (emoji === undefined ? undefined : `I reacted with ${emoji}.`),
  pin_message: ({ pinned }) => (pinned === true ? "It's pinned." : undefined),
  create_thread: ({ mention }) => (mention === undefined ? undefined : `The thread is open: ${mention}`),
  read_recent_messages: ({ messages, note }) =>
    listed(messages, String(note ?? "Nothing was said."), ({ from, text }) => `**${from}**: ${text || "…"}`),
};

/** Returns a sentence or a list for the result of one of these tools; undefined for any other. */
export const tellOfChannel = (name: string, fields: Fields): string | undefined =>
  Object.hasOwn(TELLERS, name) ? TELLERS[name]?.(fields) : undefined;

function listed(items: unknown, none: string, line: (item: Fields) => string): string | undefined {
  if (!Array.isArray(items)) return undefined;
  return items.length === 0 ? none : (items as Fields[]).map((item) => `- ${line(item)}`).join("\n");
}
