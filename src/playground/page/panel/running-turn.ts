// Finds out from the buttons of a channel's messages which turn is running there.
import type { LocalMessage } from "../shapes.ts";

/** Returns the newest turn with a Stop button, whose id names the turn. A turn that waits for approval is not running, and may wait long. */
export function runningTurn(messages: readonly Pick<LocalMessage, "components">[]): string | null {
  const ids = messages.map(({ components }) => components.flatMap((row) => row.components ?? []).map(idOf));
  const running = ids.filter((buttons) => !buttons.some((id) => id.startsWith("approve:"))).flat();
  return running.map((id) => /^stop:([^:]+)/.exec(id)?.[1]).findLast((id) => id !== undefined) ?? null;
}

const idOf = ({ custom_id: id = "" }: { custom_id?: string }): string => id;
