// What `/help` says.

/** Whoever runs their own bot puts the address of their own notice here. */
const PRIVACY_NOTICE = "https://github.com/parley-bot/parley/blob/main/.github/PRIVACY.md";

/** Six lines: what the bot does, what it costs, what it keeps, the commands. */
export const helpText = [
  "**Ask** with `/chat` or `/ask-long`, or click *Apps* on a message; in many servers mention me or reply to me. An AI model answers and can use tools (`/tools list`). It can be wrong.",
  "**Steer**: `/stop` ends an answer, `/bot status` shows who is waiting, `/bot trace` what happened; `/reminders list`, `/remember me`.",
  "**Cost**: you pay nothing; each answer costs my owner money, so there may be limits. `/bot usage` shows what you used.",
  "**Kept**: your questions and my answers, for 30 days unless settings here say otherwise; memories and reminders until they are deleted or due. The model's provider reads each question. Where only you brought me along, I see only what you send me with a command.",
  "**Yours**: `/privacy show`, `/privacy export`, `/privacy opt-out`, `/privacy forget`.",
  `**Manage**: \`/config show\`, \`/model\`, \`/persona list\`, \`/deliberate mode\`. Privacy notice: <${PRIVACY_NOTICE}>`,
].join("\n");
