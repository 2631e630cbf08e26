// Finds the tools that a message asks for in deliberate mode: by the triggers of the tools and of the channel, by its attachments,
// or by asking to repeat the last thing. The first match of each tool is kept.

import { firstPoints } from "../markdown/code-points.ts";
import type { Program } from "./compile-pattern.ts";
import { matchingText } from "./matching-text.ts";
import { type Automaton, combine, searchAll } from "./side-by-side.ts";
import { type CustomTrigger, compileTrigger } from "./trigger-phrases.ts";

/** Why a tool is offered. `follow-up`: because of an earlier request or use. */
export interface ToolMatch {
  toolName: string;
  trigger: string;
  source: "built-in" | "custom" | "follow-up";
}

/** A trigger that is searched for in a text. */
interface TextTrigger {
  match: ToolMatch;
  program: Program;
}

/** A trigger by an attached file whose content type begins with `fileType`. */
interface FileTrigger {
  match: ToolMatch;
  fileType: string;
}

/** Compiled triggers, in the order in which they are tried. */
export type TriggerSet = readonly (TextTrigger | FileTrigger)[];

/** An earlier message; `tools` are those that it used, if it is an answer of the bot. */
export interface EarlierMessage {
  text: string;
  tools: readonly string[];
}

/** The parts of a message that may ask for tools. */
export interface AskingMessage {
  text: string;
  attachments: readonly { contentType: string | null }[];
  /** Newest first; called only if the words point back. */
  earlier: () => readonly EarlierMessage[];
  /** Tools that are still in the window. */
  retained: readonly string[];
}

/** How many messages back a person may refer. */
export const FOLLOW_UP_REACH = 8;

/**
 * The most work for one message and the earlier ones that it refers to: less than 200 ms of a request that Discord
 * ends after 3 s. An ordinary message of 6,000 characters needs a tenth of it. With triggers that are built to cost more, the
 * end of a long message and the older messages are not searched.
 */
export const MAX_MATCH_WORK = 3_000_000;

const WELL = "^(?:please |ok |okay |and |now |just |yes |yes, |can you |could you )?";

/** Messages that ask to repeat what was done before, with at most one more detail. */
const ONCE_MORE = [
  `${WELL}(?:do|try|run|use|make|show|call) (?:it |that |this |one |the same |the same thing )?(?:again|once more|one more time)\\b`,
  `${WELL}(?:do|use) (?:it|that|this|the same|the same thing)(?:[.!]*$| please| too\\b| now\\b| with | for | but )`,
  `${WELL}(?:again|once more|one more time|same again|same thing|the same again)(?:[?.!]*$|,? please| but | with | for )`,
  `${WELL}(?:another one|one more|another)(?:[?.!]*$|,? please)`,
  `${WELL}(?:the same|that one|this one) (?:but|with) `,
  `${WELL}(?:redo|repeat) (?:it|that|this)\\b`,
  "^(?:pretty )?please[.!?]*$",
  "^(?:bitte |und |jetzt |ja |ja, )?(?:mach das |das |das gleiche |dasselbe )?(?:nochmal|noch mal|noch einmal|noch eins|erneut)(?:[?.!]*$| bitte| mit | aber | für )",
  "^.{0,12}(?:再来一次|再来一遍|再来一个|再做一次|もう一回|もう一度|다시 해|한 번 더|한번 더)",
];

/** `ONCE_MORE`, compiled at the first message. */
let onceMore: TriggerSet | undefined;

/** Compiles triggers. Those that break the rules are left out: stored triggers may be older than the rules. */
export function triggerSet(source: "built-in" | "custom", triggers: readonly CustomTrigger[]): TriggerSet {
  return triggers.flatMap(({ tool, kind, text }) => {
    const compiled = compileTrigger({ kind, text });
    return compiled.ok ? [{ match: { toolName: tool, trigger: text, source }, program: compiled.program }] : [];
  });
}

/** Makes a set of the files that ask for a tool. */
export const fileTriggers = (files: readonly { tool: string; type: string; label: string }[]): TriggerSet =>
  files.map(({ tool, type, label }) => ({
    match: { toolName: tool, trigger: label, source: "built-in" },
    fileType: type,
  }));

/** Finds matches. All texts given to one finder share its budget of work; when that is used up, it searches no more. */
type MatchFinder = (text: string) => { matches: ToolMatch[]; steps: number };

/** Cached because combining the triggers of all tools takes longer than searching an ordinary message. */
const automatons = new WeakMap<TriggerSet, Automaton>();

/** Makes the finder for one message. It searches for all triggers side by side, so they all see the same part of a text. */
function createMatchFinder(set: TriggerSet, worked: (work: number) => void = () => {}): MatchFinder {
  const triggers = set.filter((trigger) => "program" in trigger);
  const automaton = automatons.get(set) ?? combine(triggers.map(({ program }) => program));
  automatons.set(set, automaton);
  let left = MAX_MATCH_WORK;
  return (text) => {
    const { found, steps, work } = searchAll(automaton, matchingText(text), left);
    left -= work;
    worked(work);
    const matches = new Map<string, ToolMatch>();
    triggers.forEach(({ match }, index) => {
      if (found[index] && !matches.has(match.toolName)) matches.set(match.toolName, match);
    });
    return { matches: [...matches.values()], steps };
  };
}

/**
 * Finds the first match of each tool in a text. `steps` counts the visited instructions: at most the set's instructions
 * times the text's length, and not many more than `MAX_MATCH_WORK`.
 */
export const matchText = (set: TriggerSet, text: string): ReturnType<MatchFinder> => createMatchFinder(set)(text);

/**
 * Returns every tool that a message asks for, each with its first reason; sorted, so that the stored value is stable.
 * `worked` gets the work of each text, for tests.
 */
export function toolsAskedFor(set: TriggerSet, message: AskingMessage, worked?: (work: number) => void): ToolMatch[] {
  const find = createMatchFinder(set, worked);
  const own = find(message.text).matches;
  const isAttached = (type: string) => message.attachments.some(({ contentType }) => contentType?.startsWith(type));
  const attached = set.filter((trigger) => "fileType" in trigger && isAttached(trigger.fileType));
  const found = [
    ...own,
    ...attached.map(({ match }) => match),
    ...pointedBackTo(find, message),
    ...message.retained.map((toolName): ToolMatch => ({ toolName, trigger: "used recently", source: "follow-up" })),
  ];
  return firstOfEach(found);
}

/** Returns each tool's first match; sorted, so that the stored value is stable. */
export function firstOfEach(found: readonly ToolMatch[]): ToolMatch[] {
  const first = found.filter((match, index) => found.findIndex((one) => one.toolName === match.toolName) === index);
  return first.sort((one, other) => (one.toolName < other.toolName ? -1 : 1));
}

/** Returns what "do that again" means: the tools of the newest earlier message that used or asked for some. */
function pointedBackTo(find: MatchFinder, { text, earlier }: AskingMessage): ToolMatch[] {
  onceMore ??= triggerSet(
    "built-in",
    ONCE_MORE.map((pattern) => ({ tool: "", kind: "pattern", text: pattern })),
  );
  if (matchText(onceMore, text).matches.length === 0) return [];
  const trigger = firstPoints(text.trim(), MAX_LABEL_CHARS);
  for (const message of earlier().slice(0, FOLLOW_UP_REACH)) {
    const tools = [...message.tools, ...find(message.text).matches.map(({ toolName }) => toolName)];
    if (tools.length > 0) return tools.map((toolName) => ({ toolName, trigger, source: "follow-up" }));
  }
  return [];
}

/** A label must fit on one line. */
const MAX_LABEL_CHARS = 60;
