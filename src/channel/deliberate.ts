// Deliberate tool mode as a channel stores it: on or off, the length of the window, the channel's own triggers, and
// people's own choices. It is stored with the settings under its own keys, because a thread inherits it from its parent
// in the same way.
import { array, literal, object, string, union } from "zod/mini";
import { type DeliberateFault, deliberateFaultText } from "../core/copy/deliberate.ts";
import { triggerFaultText } from "../core/copy/trigger-faults.ts";
import { MAX_CONTEXT_TURNS } from "../core/deliberate/affordance-window.ts";
import type { DeliberateMode } from "../core/deliberate/exposure.ts";
import { type CustomTrigger, withoutTrigger, withTrigger } from "../core/deliberate/trigger-phrases.ts";
import type { DeliberateChange, DeliberateState, PersonalMode } from "../core/state/rpc.ts";
import type { StoredSettings } from "./settings.ts";

const MODE = "deliberate";
const TURNS = "deliberate_turns";
const TRIGGERS = "deliberate_triggers";
const PERSONAL = "deliberate_me:";

/** Every request reads what is stored here, so the number of people is limited. */
const MAX_PEOPLE = 500;

const storedTriggers = array(
  object({ tool: string(), kind: union([literal("phrase"), literal("pattern")]), text: string() }),
);

/** What is stored in a channel and in a thread's parent, and the window's default length in requests. */
export interface DeliberateInput {
  own: StoredSettings;
  parent: StoredSettings;
  defaultTurns: number;
}

/** The keys to write (null clears one), or the rule that the change breaks. */
export type ChangedDeliberate = { ok: true; write: Record<string, string | null> } | { ok: false; rule: string };

/** The keys under which one person's own choices are stored. */
export const personalSettingKeys = (userId: string): string[] => [PERSONAL + userId];

/** Decides the mode for a message of this person. */
export function deliberateModeFor({ own, parent, defaultTurns }: DeliberateInput, userId: string): DeliberateMode {
  const personal = readPersonalMode(own, parent, userId);
  const active = personal === "follow" ? (own[MODE] ?? parent[MODE]) === "on" : personal === "on";
  return { active, turns: readWindowTurns(own) ?? readWindowTurns(parent) ?? defaultTurns };
}

/** The channel's triggers, and those of its parent that the channel does not have itself. */
export function customTriggers({ own, parent }: Pick<DeliberateInput, "own" | "parent">): CustomTrigger[] {
  const here = readTriggers(own);
  const isHere = ({ tool, kind, text }: CustomTrigger) =>
    here.some((one) => one.tool === tool && one.kind === kind && one.text === text);
  return [...here, ...readTriggers(parent).filter((trigger) => !isHere(trigger))];
}

/** The channel's whole deliberate mode, for people. */
export function deliberateState(input: DeliberateInput, userId: string): DeliberateState {
  const { own, parent } = input;
  return {
    on: (own[MODE] ?? parent[MODE]) === "on",
    personal: readPersonalMode(own, parent, userId),
    ...deliberateModeFor(input, userId),
    triggers: customTriggers(input),
  };
}

/** Checks a change and returns what to write. `tools` are the names of all tools. Saves nothing itself. */
export function changeDeliberate(
  { own, parent }: DeliberateInput,
  change: DeliberateChange,
  tools: readonly string[],
): ChangedDeliberate {
  switch (change.what) {
    case "mode":
      return { ok: true, write: { [MODE]: change.on ? "on" : "off" } };
    case "context": {
      const { turns } = change;
      const isIn = Number.isInteger(turns) && turns >= 0 && turns <= MAX_CONTEXT_TURNS;
      if (!isIn) return refused({ fault: "window", limit: MAX_CONTEXT_TURNS });
      return { ok: true, write: { [TURNS]: String(turns) } };
    }
    case "add": {
      const { tool } = change.trigger;
      if (!tools.includes(tool)) return refused({ fault: "unknown_tool", tool });
      const added = withTrigger(readTriggers(own), change.trigger);
      if (!added.ok) return { ok: false, rule: triggerFaultText(added.fault) };
      return { ok: true, write: { [TRIGGERS]: JSON.stringify(added.triggers) } };
    }
    case "remove": {
      const left = withoutTrigger(readTriggers(own), change.trigger);
      if (!left) return refused({ fault: "unknown_trigger" });
      return { ok: true, write: { [TRIGGERS]: left.length > 0 ? JSON.stringify(left) : null } };
    }
    case "me": {
      const key = PERSONAL + change.userId;
      const people = Object.keys(own).filter((one) => one.startsWith(PERSONAL));
      if (own[key] === undefined && people.length >= MAX_PEOPLE)
        return refused({ fault: "too_many_people", limit: MAX_PEOPLE });
      // In a thread, "follow" must override the choice made in the parent.
      return {
        ok: true,
        write: { [key]: change.state === "follow" && parent[key] === undefined ? null : change.state },
      };
    }
  }
}

const refused = (fault: DeliberateFault): ChangedDeliberate => ({ ok: false, rule: deliberateFaultText(fault) });

function readPersonalMode(own: StoredSettings, parent: StoredSettings, userId: string): PersonalMode {
  const stored = own[PERSONAL + userId] ?? parent[PERSONAL + userId];
  return stored === "on" || stored === "off" ? stored : "follow";
}

function readWindowTurns(stored: StoredSettings): number | null {
  return stored[TURNS] === undefined ? null : Number(stored[TURNS]);
}

function readTriggers(stored: StoredSettings): CustomTrigger[] {
  try {
    return storedTriggers.safeParse(JSON.parse(stored[TRIGGERS] ?? "[]")).data ?? [];
  } catch {
    return [];
  }
}
