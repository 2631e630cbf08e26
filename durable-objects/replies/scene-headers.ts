// The first line of a scene: the deferred response of the interaction that asked for it. It names who speaks, carries the Stop
// button while any of it is left, and says of turns that never spoke how they ended. Made from what is stored.

import { endingNotice } from "../../src/core/copy/endings.ts";
import { say } from "../../src/core/copy/notices.ts";
import { ACKNOWLEDGEMENT_RACE_MS } from "../../src/core/limits.ts";
import type { ChannelState, DeliveredPart, TurnRecord } from "../../src/core/state/record.ts";
import { type ScenePart, sceneTurnId } from "../../src/core/state/scene.ts";
import { Pump } from "../../src/discord/delivery/pump.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { saidText } from "../turn/turn-texts.ts";
import type { OnGone } from "./turn-pump.ts";

/** The first lines of a channel's scenes. */
export class SceneHeaders {
  readonly #ports: ChannelPorts;
  readonly #lines = new Map<string, SceneHeader>();
  readonly #onGone: OnGone;

  constructor(ports: ChannelPorts, onGone: OnGone) {
    this.#ports = ports;
    this.#onGone = onGone;
  }

  /** Shows the line, with another below it while the scene waits. */
  show(turn: TurnRecord, scene: ScenePart, waiting: string | null = null): void {
    const line = this.#of(turn, scene);
    line.pump.show({ text: "", line: [say.scene(scene.names), ...(waiting === null ? [] : [waiting])].join("\n") });
  }

  /** Resolves when the line stands in Discord, or seems not to come: what follows it must not stand before it. */
  async shown(turn: TurnRecord, scene: ScenePart): Promise<void> {
    const { accepted } = this.#of(turn, scene);
    await new Promise<void>((resolve) => {
      const giveUp = this.#ports.timers.after(ACKNOWLEDGEMENT_RACE_MS, resolve);
      void accepted.then(() => {
        giveUp();
        resolve();
      });
    });
  }

  /** Takes the button away when nothing of the scene is left; resolves when Discord has that or it can't be had. */
  async finish(turn: TurnRecord, scene: ScenePart): Promise<void> {
    const { store } = this.#ports;
    if (isLeft(store.state(), scene)) return;
    const line = this.#of(turn, scene);
    const text = this.#lostWords(scene);
    // A part that is lost lets the plan attach all of it to the first message.
    const pump =
      text === ""
        ? line.pump
        : this.#pumpOf(turn, scene, [line.parts[0] ?? { state: "sent", id: null }, { state: "sending", id: null }]);
    if (pump !== line.pump) line.pump.abandon();
    line.finished ??= pump.finish({ text, line: [say.scene(scene.names), ...this.#notices(scene)].join("\n") });
    await line.finished;
    this.#lines.delete(scene.id);
  }

  /** How those ended that have no message of their own to say it. */
  #notices(scene: ScenePart): string[] {
    const turns = scene.names.map((_, index) => this.#ports.store.turn(sceneTurnId(scene.id, index)));
    const notices = turns.flatMap((turn) =>
      turn && turn.parts.length === 0 && turn.checkpoint.kind === "send" ? [endingNotice(turn.checkpoint.ending)] : [],
    );
    return [...new Set(notices.filter((notice) => notice !== null))];
  }

  /** What was said by a voice whose message may be there or not: it is never posted again, and stands in the first line's file. */
  #lostWords(scene: ScenePart): string {
    const { store } = this.#ports;
    const turns = scene.names.map((_, index) => store.turn(sceneTurnId(scene.id, index)));
    const lost = turns.filter((turn) => turn?.voice?.kind !== "bot" && turn?.parts[0]?.state === "sending");
    return lost
      .flatMap((turn) =>
        turn ? [`**${turn.request.persona?.name}:** ${saidText(store.messagesInTurn(turn.id))}`] : [],
      )
      .join("\n\n");
  }

  #of(turn: TurnRecord, scene: ScenePart): SceneHeader {
    const known = this.#lines.get(scene.id);
    if (known) return known;
    const parts: DeliveredPart[] = [];
    const pump = this.#pumpOf(turn, scene, parts);
    const accepted = new Promise<void>((resolve) => pump.onAccepted(() => resolve()));
    const line = { pump, parts, accepted, finished: null };
    this.#lines.set(scene.id, line);
    return line;
  }

  /** The message was made by the interaction itself, so nothing of it has to be written down before it is edited. */
  #pumpOf({ request }: TurnRecord, scene: ScenePart, parts: DeliveredPart[]): Pump {
    const { rest, rateLimiter, clock, timers, random, log, config } = this.#ports;
    return new Pump({
      rest,
      rateLimiter,
      endpoint: { applicationId: request.applicationId, token: scene.token },
      botEndpoint: config.discord.botToken !== null && request.botIsHere ? { channelId: request.channelId } : null,
      turnId: scene.id,
      acknowledgedAt: request.receivedAt,
      repliesTo: null,
      linkPreviews: false,
      maxMessages: 1,
      waits: false,
      ledger: {
        parts: () => parts,
        sending: () => true,
        sent: (index, id) => {
          parts[index] = { state: "sent", id };
          return true;
        },
      },
      clock,
      timers,
      random,
      log,
      onGone: (why) => {
        for (const index of scene.names.keys()) this.#onGone(sceneTurnId(scene.id, index), why);
      },
    });
  }
}

interface SceneHeader {
  pump: Pump;
  parts: DeliveredPart[];
  accepted: Promise<void>;
  finished: Promise<unknown> | null;
}

/** Is any turn of the scene still to speak? */
function isLeft({ running, queue, parked }: ChannelState, { id }: ScenePart): boolean {
  return [running, ...queue, ...parked].some((turn) => turn?.request.scene?.id === id);
}
