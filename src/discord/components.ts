// Our buttons: the meaning of their ids and how they look on the wire. An id carries everything that its click needs, because the
// message may be older than this deploy.
import { connectCodeForm } from "../core/copy/forms.ts";
import { say } from "../core/copy/notices.ts";

const SECONDARY = 2;
const SUCCESS = 3;
const DANGER = 4;

/**
 * The buttons. `resume`: a reply's token ran out, and the click's token delivers the rest. `go_on` and `retry` ask for a new turn: one
 * continues where a limit ended the last turn, the other asks the same question again. `approve` and `deny` decide about the call that a
 * parked turn is waiting for. `regenerate` and `delete` replace and take back the newest answer. `forget` confirms `/privacy forget`; its
 * id is the person's. `enter_code` opens the form of `/tools connect`.
 */
const LOOKS = {
  stop: { label: say.stopButton, emoji: "⏹️", style: SECONDARY },
  resume: { label: say.continueButton, emoji: "▶️", style: SECONDARY },
  go_on: { label: say.continueButton, emoji: "▶️", style: SECONDARY },
  retry: { label: say.retryButton, emoji: "🔁", style: SECONDARY },
  regenerate: { label: say.regenerateButton, emoji: "🔄", style: SECONDARY },
  delete: { label: say.deleteButton, emoji: "🗑️", style: SECONDARY },
  approve: { label: say.approveButton, emoji: "✅", style: SUCCESS },
  deny: { label: say.denyButton, emoji: "✖️", style: DANGER },
  forget: { label: say.forgetButton, emoji: "🗑️", style: DANGER },
  enter_code: { label: connectCodeForm.open, emoji: "🔑", style: SECONDARY },
} as const;

/** What a click asks for. */
export type ButtonAction = keyof typeof LOOKS;

/** A click on one of our buttons. */
export interface ButtonClick {
  action: ButtonAction;
  turnId: string;
  /** The person whose own object has this conversation; null if the channel's object has it. */
  broughtBy: string | null;
}

const ID = /^([a-z_]+):(\S{1,90}?)(?::(\d{1,20}))?$/;

/** Reads a custom id. Null for an id of an older or newer version. */
export function readCustomId(customId: string): ButtonClick | null {
  const [, action = "", turnId, broughtBy = null] = customId.match(ID) ?? [];
  return turnId && Object.hasOwn(LOOKS, action) ? { action: action as ButtonAction, turnId, broughtBy } : null;
}

/** Builds the target that a button names: the id of a turn (or another id), and the person whose own object has it, if any. */
export const clickTarget = (id: string, broughtBy: string | null | undefined): string =>
  broughtBy ? `${id}:${broughtBy}` : id;

/** The buttons below a message, in order. */
export type Buttons = readonly ButtonAction[];

const ACTION_ROW = 1;
const BUTTON = 2;
const LINK = 5;

/** Builds the components of a message. `target` is a `clickTarget`. An empty list removes the buttons that are there. */
export function buildButtonRows(buttons: Buttons, target: string): object[] {
  if (buttons.length === 0) return [];
  return [{ type: ACTION_ROW, components: buttons.map((action) => buildButton(action, target)) }];
}

/** Builds a row with a link button and one of our buttons next to it. */
export const buildLinkRow = (
  { label, url }: { label: string; url: string },
  action: ButtonAction,
  id: string,
): object[] => [{ type: ACTION_ROW, components: [{ type: BUTTON, style: LINK, label, url }, buildButton(action, id)] }];

const buildButton = (action: ButtonAction, id: string) => ({
  type: BUTTON,
  style: LOOKS[action].style,
  label: LOOKS[action].label,
  custom_id: `${action}:${id}`,
  emoji: { name: LOOKS[action].emoji },
});
