// Deliberate mode in one channel: which tools a starting turn may use, and which stay open after their use. The window is stored
// in the lock's row and the exposure in the turn's row, because both rows are written at these moments anyway.
import { customTriggers, type DeliberateInput, deliberateModeFor } from "../../src/channel/deliberate.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { ownWords } from "../../src/core/decisions/own-words.ts";
import { closedWindow } from "../../src/core/deliberate/affordance-window.ts";
import { decideExposure, type Exposure, retainUses } from "../../src/core/deliberate/exposure.ts";
import {
  type EarlierMessage,
  FOLLOW_UP_REACH,
  fileTriggers,
  firstOfEach,
  matchText,
  type TriggerSet,
  toolsAskedFor,
  triggerSet,
} from "../../src/core/deliberate/tool-matches.ts";
import { isSetApart, transcriptOwner } from "../../src/core/state/private-turns.ts";
import type { Lock, TurnRecord } from "../../src/core/state/record.ts";
import { sceneTurnId } from "../../src/core/state/scene.ts";
import type { AskingRequest, TurnRequest } from "../../src/core/state/turn-request.ts";
import type { ToolCard } from "../../src/toolkit/define/tool.ts";
import type { ToolRegistry } from "../../src/toolkit/define/tool-cards.ts";
import { shippedFileTriggers, shippedTriggers } from "../../src/toolkit/define/trigger-list.ts";
import type { ChannelPorts } from "../channel-ports.ts";

type DeliberatePorts = Pick<ChannelPorts, "store" | "config" | "registry">;

/** A turn and the lock, to be stored together. */
interface Started {
  turn: TurnRecord;
  lock: Lock;
}

/**
 * Decides which tools a starting turn may use and counts down the window, within the caller's transaction. A resumed
 * turn, and one that shares its request with an earlier turn, keep the first decision and don't count down.
 */
export function startExposure(ports: DeliberatePorts, { turn, lock }: Started): Started {
  const decided = turn.exposure === undefined ? sharedExposure(ports.store, turn.request) : turn.exposure;
  if (decided !== undefined) return { turn: { ...turn, exposure: decided }, lock };
  const { exposure, window } = decideExposure(
    lock.window ?? closedWindow,
    deliberateModeFor(deliberateInput(ports), turn.request.userId),
    () => ({
      triggers: effectiveTriggers(ports),
      message: {
        text: askingWords(turn.request),
        attachments: turn.request.attachments ?? [],
        earlier: () => earlierMessages(ports.store, turn),
      },
    }),
  );
  return { turn: { ...turn, exposure }, lock: { ...lock, window } };
}

/**
 * Adds the tools that further words of the turn's person ask for (heard in the question, or joining it). Returns the turn for the caller to
 * store, unchanged if the mode is not active for it.
 */
export function exposeMore(ports: DeliberatePorts, turn: TurnRecord, more: AskingRequest): TurnRecord {
  const { exposure } = turn;
  if (!exposure) return turn;
  const text = askingWords(more);
  const message = { text, attachments: [], earlier: () => earlierMessages(ports.store, turn), retained: [] };
  const tools = firstOfEach([...exposure.tools, ...toolsAskedFor(effectiveTriggers(ports), message)]);
  return { ...turn, exposure: { ...exposure, tools } };
}

/**
 * Returns the words, written or spoken, that may ask for a tool. They are the person's own: without the message that they quote below them, and
 * without what we write around a reminder.
 */
const askingWords = ({ text, quoted = "", reminder, heard = [] }: AskingRequest): string =>
  reminder?.text ?? [text.replace(quoted && `\n\n${quoted}`, ""), ...heard.map((one) => one.text)].join("\n").trim();

/**
 * Adds the uses of a turn that gives up the lock to the window, within the caller's transaction. Everyone sees the window, so a
 * private turn in a shared channel adds nothing to it.
 */
export function retainExposure({ store }: Pick<DeliberatePorts, "store">, { turn, lock }: Started): Started {
  if (isSetApart(turn.request)) return { turn, lock };
  const { exposure, window } = retainUses(lock.window ?? closedWindow, turn.exposure, () =>
    store.succeededCalls(turn.id),
  );
  return { turn: { ...turn, exposure }, lock: { ...lock, window } };
}

/** Returns the stored settings in the form that the rules in `src/channel` take. */
export const deliberateInput = ({ store, config }: Pick<DeliberatePorts, "store" | "config">): DeliberateInput => ({
  own: store.settings(),
  parent: store.parentSettings(),
  defaultTurns: config.deliberateContextTurns,
});

/** Returns the triggers that apply here, the channel's own first. */
export function effectiveTriggers(ports: DeliberatePorts): TriggerSet {
  const custom = triggerSet("custom", customTriggers(deliberateInput(ports)));
  const builtIn = builtInTriggers(ports.registry);
  // Returns the same object each time, because a set is compiled only once.
  return custom.length === 0 ? builtIn : [...custom, ...builtIn];
}

/** Makes a check whether a person's own words ask for a tool, by the triggers here, whether or not the mode is active. */
export function createAskedFor(ports: DeliberatePorts, request: TurnRequest): (toolName: string) => boolean {
  let asked: Set<string> | null = null;
  return (toolName) => {
    asked ??= new Set(matchText(effectiveTriggers(ports), ownWords(request)).matches.map((match) => match.toolName));
    return asked.has(toolName);
  };
}

const builtIn = (tools: readonly ToolCard[]): TriggerSet => [
  ...triggerSet("built-in", shippedTriggers(tools)),
  ...fileTriggers(shippedFileTriggers(tools)),
];

/** The objects of one isolate share their tools, and their hundred or more triggers should be compiled only once. */
const compiled = new WeakMap<ToolRegistry, TriggerSet>();

function builtInTriggers(registry: ToolRegistry): TriggerSet {
  const known = compiled.get(registry) ?? builtIn(registry.list());
  compiled.set(registry, known);
  return known;
}

/** Returns what was already decided for the same request: for an earlier persona of its scene, or for the turn that is retried. */
function sharedExposure(store: ChannelStore, { again, scene }: TurnRequest): Exposure | null | undefined {
  const before = scene ? Array.from({ length: scene.index }, (_, index) => sceneTurnId(scene.id, index)) : [];
  const turns = [...before, ...(again === undefined ? [] : [again])].map((id) => store.turn(id));
  const shared = turns.map((turn) => turn?.exposure).find((exposure) => exposure !== undefined);
  return shared && { ...shared, enriching: [], counted: {} };
}

/** Returns earlier messages, newest first: a person's without their name, an answer as the tools that it used. */
function earlierMessages(store: ChannelStore, { id, request }: TurnRecord): EarlierMessage[] {
  const before = store.messagesBefore(id, FOLLOW_UP_REACH, transcriptOwner(request));
  const messages = before.map(({ role, text, calls, speaker }): EarlierMessage => {
    // The text in an older program's row begins with the name.
    if (role === "user") return { text: speaker ? text : text.slice(text.indexOf(": ") + 2), tools: [] };
    return { text: "", tools: calls.flatMap((call) => (call ? [call.name] : [])) };
  });
  return messages.reverse();
}
