// Ends messages that waited to join a running turn (`follow_up` = `steer`), when their person may no longer use the bot.
import type { AccessRefusal } from "../../src/core/access/judge.ts";
import type { TurnRecord } from "../../src/core/state/record.ts";
import type { Channel } from "../live-channel.ts";
import { rearm } from "../schedule/rearm.ts";
import { closed } from "../turn/closing.ts";
import { finishReply } from "./finish-reply.ts";

/** Ends those messages that still wait, and their replies say why. Repeating it changes nothing. */
export function refuseJoining(channel: Channel, joining: readonly TurnRecord[], refusal: AccessRefusal): void {
  const { store, clock } = channel.ports;
  const ended = store.transaction(() =>
    joining.flatMap(({ id }) => {
      const waiting = store.turn(id);
      if (waiting?.state !== "queued") return [];
      const closing = closed(waiting, { kind: "access_refused", refusal }, 0, clock());
      store.saveTurn(closing);
      return [closing];
    }),
  );
  rearm(channel);
  for (const turn of ended) void finishReply(channel, turn);
}
