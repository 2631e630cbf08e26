// Our buttons: what their ids mean and how they look on the wire. An id carries all that its press needs, because the
// message that it stands on may be older than this deploy.
import { say } from "../core/outcome.ts";

/** What a press asks for. */
export interface ComponentPress {
  action: "stop";
  turnId: string;
}

const ID = /^stop:(\S{1,90})$/;

/** The press behind a custom id, or null for an id of an older or newer version. */
export function readCustomId(customId: string): ComponentPress | null {
  const turnId = customId.match(ID)?.[1];
  return turnId ? { action: "stop", turnId } : null;
}

const ACTION_ROW = 1;
const BUTTON = 2;
const SECONDARY = 2;

/** One row with the Stop button of a turn. */
export function stopRow(turnId: string): object[] {
  const button = {
    type: BUTTON,
    style: SECONDARY,
    label: say.stopButton,
    custom_id: `stop:${turnId}`,
    emoji: { name: "⏹️" },
  };
  return [{ type: ACTION_ROW, components: [button] }];
}
