// Reads deliberate tool mode as a channel stores it: on or off, the length of the window, the channel's own triggers, and
// people's own choices. It is stored with the settings, under its own keys, because a thread inherits it from its parent
// in the same way.
import { array, literal, object, string } from "zod/mini";
import type { DeliberateMode } from "../core/deliberate/exposure.ts";
import type { CustomTrigger } from "../core/deliberate/trigger-phrases.ts";
import { parseJson } from "../core/json.ts";
import { once } from "../core/once.ts";
import type { DeliberateState, PersonalMode } from "../core/state/rpc.ts";
import type { StoredSettings } from "./settings.ts";

/** The keys under which it is stored. A person's id follows the key of their own choice. */
export const MODE = "deliberate";
export const TURNS = "deliberate_turns";
export const TRIGGERS = "deliberate_triggers";
export const PERSONAL = "deliberate_me:";

const storedTriggers = once(() =>
  array(object({ tool: string(), kind: literal(["phrase", "pattern"]), text: string() })),
);

/** What is stored in a channel and in a thread's parent, and the window's default length in requests. */
export interface DeliberateInput {
  own: StoredSettings;
  parent: StoredSettings;
  defaultTurns: number;
}

/** Returns the keys under which one person's own choices are stored. */
export const personalSettingKeys = (userId: string): string[] => [PERSONAL + userId];

/** Decides the mode for a message of this person. */
export function deliberateModeFor({ own, parent, defaultTurns }: DeliberateInput, userId: string): DeliberateMode {
  const personal = readPersonalMode(own, parent, userId);
  const active = personal === "follow" ? (own[MODE] ?? parent[MODE]) === "on" : personal === "on";
  return { active, turns: readWindowTurns(own) ?? readWindowTurns(parent) ?? defaultTurns };
}

/** Lists the channel's triggers, and those of its parent that the channel does not have itself. */
export function customTriggers({ own, parent }: Pick<DeliberateInput, "own" | "parent">): CustomTrigger[] {
  const here = readTriggers(own);
  const isHere = ({ tool, kind, text }: CustomTrigger) =>
    here.some((one) => one.tool === tool && one.kind === kind && one.text === text);
  return [...here, ...readTriggers(parent).filter((trigger) => !isHere(trigger))];
}

/** Returns the channel's whole deliberate mode, to show to people. */
export function deliberateState(input: DeliberateInput, userId: string): DeliberateState {
  const { own, parent } = input;
  return {
    on: (own[MODE] ?? parent[MODE]) === "on",
    personal: readPersonalMode(own, parent, userId),
    ...deliberateModeFor(input, userId),
    triggers: customTriggers(input),
  };
}

function readPersonalMode(own: StoredSettings, parent: StoredSettings, userId: string): PersonalMode {
  const stored = own[PERSONAL + userId] ?? parent[PERSONAL + userId];
  return stored === "on" || stored === "off" ? stored : "follow";
}

function readWindowTurns(stored: StoredSettings): number | null {
  return stored[TURNS] === undefined ? null : Number(stored[TURNS]);
}

/** Reads the triggers of one channel, without its parent's. */
export const readTriggers = ({ [TRIGGERS]: text = "" }: StoredSettings): CustomTrigger[] =>
  storedTriggers().safeParse(parseJson(text)).data ?? [];
