// Changes of a channel's deliberate mode: which are allowed, and what they write.
import { type DeliberateFault, deliberateFaultText } from "../core/copy/deliberate.ts";
import { triggerFaultText } from "../core/copy/trigger-faults.ts";
import { MAX_CONTEXT_TURNS } from "../core/deliberate/affordance-window.ts";
import { withoutTrigger, withTrigger } from "../core/deliberate/channel-triggers.ts";
import type { DeliberateChange } from "../core/state/rpc.ts";
import { type DeliberateInput, MODE, PERSONAL, readTriggers, TRIGGERS, TURNS } from "./deliberate.ts";

/** How many people may have their own mode in one channel. Limited because every request reads what is stored here. */
const MAX_PEOPLE = 500;

/** The keys to write (null clears one), or the rule that the change breaks. */
export type ChangedDeliberate = { ok: true; write: Record<string, string | null> } | { ok: false; rule: string };

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
