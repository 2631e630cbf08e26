// Which turn is running in a channel, by the buttons of its messages.
import type { LocalMessage } from "../shapes.ts";

/** The newest turn whose answer has a Stop button, which names it. One that waits for approval runs no more, and may wait for long. */
export function runningTurn(messages: readonly Pick<LocalMessage, "components">[]): string | null {
  const ids = messages.map(({ components }) => components.flatMap((row) => row.components ?? []).map(idOf));
  const running = ids.filter((buttons) => !buttons.some((id) => id.startsWith("approve:"))).flat();
  return running.map((id) => /^stop:([^:]+)/.exec(id)?.[1]).findLast((id) => id !== undefined) ?? null;
}

const idOf = ({ custom_id: id = "" }: { custom_id?: string }): string => id;
