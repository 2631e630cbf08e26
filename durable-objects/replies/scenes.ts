// The first line of a scene: the deferred response of the interaction that asked for it. It names who speaks, carries the Stop
// button while any of it is left, and says of turns that never spoke how they ended. Made from what is stored.

import { endingNotice, say } from "../../src/core/copy/outcome.ts";
import { ACKNOWLEDGEMENT_RACE_MS } from "../../src/core/limits.ts";
import type { ChannelState, DeliveredPart, TurnRecord } from "../../src/core/state/record.ts";
import { type ScenePlace, sceneTurnId } from "../../src/core/state/scene.ts";
import { Pump } from "../../src/discord/delivery/pump.ts";
import type { Traffic } from "../../src/discord/rest/rate-limiter.ts";
import type { ChannelParts } from "../parts.ts";
import { saidText } from "../turn/turn-store.ts";

/** The first lines of a channel's scenes. */
export class Scenes {
  readonly #parts: ChannelParts;
  readonly #traffic: Traffic;
  readonly #lines = new Map<string, SceneLine>();
  readonly #onGone: (turnId: string, why: "gone" | "no_access") => void;

  constructor(parts: ChannelParts, traffic: Traffic, onGone: (turnId: string, why: "gone" | "no_access") => void) {
    this.#parts = parts;
    this.#traffic = traffic;
    this.#onGone = onGone;
  }

  /** Shows the line, with another below it while the scene waits. */
  show(turn: TurnRecord, scene: ScenePlace, waiting: string | null = null): void {
    const line = this.#of(turn, scene);
    line.pump.show({ text: "", line: [say.scene(scene.names), ...(waiting === null ? [] : [waiting])].join("\n") });
  }

  /** Resolves when the line stands in Discord, or seems not to come: what follows it must not stand before it. */
  async shown(turn: TurnRecord, scene: ScenePlace): Promise<void> {
    const { accepted } = this.#of(turn, scene);
    await new Promise<void>((resolve) => {
      const giveUp = this.#parts.timers.after(ACKNOWLEDGEMENT_RACE_MS, resolve);
      void accepted.then(() => {
        giveUp();
        resolve();
      });
    });
  }

  /** Takes the button away when nothing of the scene is left; resolves when Discord has that or it can't be had. */
  async finish(turn: TurnRecord, scene: ScenePlace): Promise<void> {
    const { store } = this.#parts;
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
  #notices(scene: ScenePlace): string[] {
    const turns = scene.names.map((_, index) => this.#parts.store.turn(sceneTurnId(scene.id, index)));
    const notices = turns.flatMap((turn) =>
      turn && turn.parts.length === 0 && turn.step.kind === "send" ? [endingNotice(turn.step.ending)] : [],
    );
    return [...new Set(notices.filter((notice) => notice !== null))];
  }

  /** What was said by a voice whose message may be there or not: it is never posted again, and stands in the first line's file. */
  #lostWords(scene: ScenePlace): string {
    const { store } = this.#parts;
    const turns = scene.names.map((_, index) => store.turn(sceneTurnId(scene.id, index)));
    const lost = turns.filter((turn) => turn?.voice?.kind !== "bot" && turn?.parts[0]?.state === "sending");
    return lost
      .flatMap((turn) =>
        turn ? [`**${turn.trigger.persona?.name}:** ${saidText(store.messagesInTurn(turn.id))}`] : [],
      )
      .join("\n\n");
  }

  #of(turn: TurnRecord, scene: ScenePlace): SceneLine {
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
  #pumpOf({ trigger }: TurnRecord, scene: ScenePlace, parts: DeliveredPart[]): Pump {
    const { rest, clock, timers, random, log, config } = this.#parts;
    return new Pump({
      rest,
      traffic: this.#traffic,
      route: { applicationId: trigger.applicationId, token: scene.token },
      botRoute: config.discord.botToken !== null && trigger.botIsHere ? { channelId: trigger.channelId } : null,
      turnId: scene.id,
      acknowledgedAt: trigger.receivedAt,
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

interface SceneLine {
  pump: Pump;
  parts: DeliveredPart[];
  accepted: Promise<void>;
  finished: Promise<unknown> | null;
}

/** Is any turn of the scene still to speak? */
function isLeft({ running, queue, parked }: ChannelState, { id }: ScenePlace): boolean {
  return [running, ...queue, ...parked].some((turn) => turn?.trigger.scene?.id === id);
}
