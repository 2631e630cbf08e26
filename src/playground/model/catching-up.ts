// How the local model answers /catch-up: it sorts messages by their words, without understanding them.

const TASK = /^This is the command \/catch-up\. (.+?) was away/;
/** A message's line. The bot's own answers, whose lines begin with `Name (you)`, are left out: they are not news. */
const LINE = /^((?:(?! \(you\)).){1,60}?)(?: \(bot\))?(?: to (.{1,40}?))?, \d\d:\d\d: (.+)$/u;
const HIDDEN = /^\[(\d+) messages? (?:is|are) hidden from you\]$/m;
const DECIDES = /\b(?:decided|agreed|let's|we'll|we will|moved? (?:it )?to|settled|it's settled|done deal)\b/i;

/** Returns the three lists if the text is this task with its messages; undefined for anything else. */
export function caughtUp(said: string): string | undefined {
  const asker = TASK.exec(said)?.[1];
  if (asker === undefined) return undefined;
  const messages = said.split("\n").flatMap((line) => {
    const [, name = "", to = "", words = ""] = LINE.exec(line) ?? [];
    return words === "" ? [] : [{ name, to, words }];
  });
  const listItem = ({ name, words }: { name: string; words: string }) => `- ${name}: ${words}`;
  const isForAsker = ({ words, to }: { words: string; to: string }) => to === asker || words.includes(`@${asker}`);
  const isOpen = (one: (typeof messages)[number]) => one.words.endsWith("?") && one.name !== asker && !isForAsker(one);
  const lists = [
    ["Decisions", messages.filter(({ words }) => DECIDES.test(words))],
    ["Open questions", messages.filter(isOpen)],
    ["For you", messages.filter(isForAsker)],
  ] as const;
  const shown = lists.flatMap(([title, found]) =>
    found.length > 0 ? [`**${title}**\n${found.map(listItem).join("\n")}`] : [],
  );
  const hidden = Number(HIDDEN.exec(said)?.[1] ?? 0);
  const calm = messages.length > 0 ? [`${counted(messages.length)}, and nothing that needs you.`] : [];
  const found = shown.length > 0 ? shown : calm;
  const why = hidden > 0 ? [`I can't see ${counted(hidden)}, because the Message Content intent is off.`] : [];
  return [...found, ...why].join("\n\n") || "Nobody has written anything new.";
}

const counted = (messages: number): string => (messages === 1 ? "1 message" : `${messages} messages`);
