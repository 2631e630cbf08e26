// Owns a scene's header: the deferred response of the interaction that asked for the scene. It names the speakers, has the Stop button
// while any turn is left, and says how turns ended that never spoke. It is built from the stored turns.

import { endingNotice } from "../../src/core/copy/endings.ts";
import { say } from "../../src/core/copy/notices.ts";
import { isMute } from "../../src/core/decisions/newest-answer.ts";
import { changesAnswer, type Offer } from "../../src/core/decisions/offer.ts";
import { HEARTBEAT_MS } from "../../src/core/limits.ts";
import { madePrivate } from "../../src/core/state/private-turns.ts";
import type { ChannelState, DeliveredPart, TurnRecord } from "../../src/core/state/record.ts";
import { type ScenePart, sceneTurnId } from "../../src/core/state/scene.ts";
import { unfinishedTurns } from "../../src/core/state/unfinished.ts";
import { clickTarget } from "../../src/discord/components.ts";
import type { Delivered } from "../../src/discord/delivery/parts-ledger.ts";
import { Pump } from "../../src/discord/delivery/pump.ts";
import { plainLinks } from "../../src/discord/delivery/reply-route.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { saidText } from "../turn/turn-texts.ts";
import { findLate, isTokenAlive } from "./find-late.ts";
import type { StraysUntil } from "./strays.ts";
import { findBotEndpoint, type OnGone } from "./turn-pump.ts";

/** The headers of a channel's scenes. */
export class SceneHeaders {
  readonly #ports: ChannelPorts;
  readonly #headers = new Map<string, SceneHeader>();
  readonly #onGone: OnGone;
  readonly #straysUntil: StraysUntil;

  constructor(ports: ChannelPorts, onGone: OnGone, straysUntil: StraysUntil) {
    this.#ports = ports;
    this.#onGone = onGone;
    this.#straysUntil = straysUntil;
  }

  /** Shows the header; `waiting` is the line below it while the scene waits in the queue. */
  show(turn: TurnRecord, scene: ScenePart, waiting: string | null = null): void {
    const header = this.#headerFor(turn, scene);
    header.pump.show({ text: "", line: [say.scene(scene.names), ...(waiting === null ? [] : [waiting])].join("\n") });
  }

  /**
   * Resolves when the header is in Discord or can't be. Until then Discord would turn the interaction's next message into the header,
   * and the header's own text would replace it.
   */
  async shown(turn: TurnRecord, scene: ScenePart): Promise<void> {
    const { pump, accepted } = this.#headerFor(turn, scene);
    await Promise.race([accepted, pump.ask({ text: "", line: say.scene(scene.names) })]);
  }

  /**
   * Finishes the header, once every turn of the scene has ended and had its last text sent, as this one just has: removes the Stop button, and
   * puts what the turn offers in its place if it is the only speaker. Resolves when Discord has the edit or refuses it.
   */
  async finish(turn: TurnRecord, scene: ScenePart, delivered: Delivered, offered: readonly Offer[]): Promise<void> {
    const header = this.#headerFor(turn, scene);
    if (!delivered.ok && UNHEARD.has(delivered.reason)) this.#keepUnheard(turn.id);
    header.delivered.add(turn.id);
    if (isLeft(this.#ports.store.state(), scene, header.delivered)) return;
    header.finished ??= this.#finish(header, turn, scene, offered).catch((error: unknown) => {
      // The turn is still closing, so its next edit tries again.
      header.finished = null;
      throw error;
    });
    await header.finished;
    this.#headers.delete(scene.id);
  }

  async #finish(header: SceneHeader, turn: TurnRecord, scene: ScenePart, offered: readonly Offer[]): Promise<void> {
    const { parts } = header;
    if (!isTokenAlive(this.#ports, turn)) await this.#findHeader(header, turn, scene);
    const hasAll = isMute(this.#ports.store.turn(turn.id) ?? turn);
    const buttons = scene.names.length === 1 ? offered.filter((one) => hasAll || !changesAnswer(one)) : [];
    const line = [say.scene(scene.names), ...this.#notices(scene)].join("\n");
    const shown = await header.pump.finish({ text: "", line }, buttons);
    const isOver = !shown.ok && shown.reason === "token_expired";
    if (isOver && (await this.#findHeader(header, turn, scene))) await header.pump.finish({ text: "", line }, buttons);
    const text = this.#lostWords(scene);
    if (text === "") return;
    // A second part in state "sending" makes the delivery plan attach the whole text to the first message.
    const [first = { state: "sent", id: null }] = parts;
    await this.#createPump(turn, scene, [first, { state: "sending", id: null }]).finish({ text, line }, buttons);
  }

  /**
   * Switches the header to the bot's token, which alone reaches it once its own has ended, and only by its id. If that id isn't known, looks it up,
   * and waits while Discord can't be asked. Returns whether it switched.
   */
  async #findHeader(header: SceneHeader, turn: TurnRecord, scene: ScenePart): Promise<boolean> {
    const { parts } = header;
    if (parts.length > 0 || findBotEndpoint(this.#ports, turn.request) === null) return false;
    let found = await findLate(this.#ports, turn.request, scene.id);
    for (; found === undefined; found = await findLate(this.#ports, turn.request, scene.id))
      await this.#ports.timers.wait(HEARTBEAT_MS);
    if (found === null) return false;
    parts.push({ state: "sent", id: found.id });
    header.pump.abandon();
    header.pump = this.#createPump(turn, scene, parts);
    return true;
  }

  /** Notes that a speaker's text is not in the channel, for the life that finishes the header. A turn without a voice must stay unheard there too. */
  #keepUnheard(id: string): void {
    const { store } = this.#ports;
    store.transaction(() => {
      const turn = store.turn(id);
      if (turn?.state === "closing" && turn.voice) store.saveTurn({ ...turn, unheard: true });
    });
  }

  /** Says how those turns ended that, as far as we know, have no message of their own to say so. */
  #notices(scene: ScenePart): string[] {
    const notices = this.#turnsOf(scene).flatMap((turn) =>
      isMute(turn) && turn.checkpoint.kind === "send" ? [endingNotice(turn.checkpoint.ending, false)] : [],
    );
    return [...new Set(notices.filter((notice) => notice !== null))];
  }

  /** Collects text that Discord refused or that may already be posted. It is never posted again, but attached to the header as a file. */
  #lostWords(scene: ScenePart): string {
    return this.#turnsOf(scene)
      .filter(({ parts, unheard }) => unheard || parts[0]?.state === "sending")
      .map(({ id, request }) => [request.persona?.name, saidText(this.#ports.store.messagesInTurn(id))])
      .flatMap(([name, text]) => (text ? [`**${name}:** ${text}`] : []))
      .join("\n\n");
  }

  #turnsOf(scene: ScenePart): TurnRecord[] {
    const turns = scene.names.map((_, index) => this.#ports.store.turn(sceneTurnId(scene.id, index)));
    return turns.filter((turn) => turn !== null);
  }

  #headerFor(turn: TurnRecord, scene: ScenePart): SceneHeader {
    const known = this.#headers.get(scene.id);
    if (known) return known;
    const parts: DeliveredPart[] = [];
    const pump = this.#createPump(turn, scene, parts);
    const accepted = new Promise<void>((resolve) => pump.onAccepted(() => resolve()));
    const header = { pump, parts, accepted, delivered: new Set<string>(), finished: null };
    this.#headers.set(scene.id, header);
    return header;
  }

  /** Makes the scene's turns private, because Discord shows the header, and so the scene, only to the asker. */
  #makePrivate(scene: ScenePart): void {
    const { store, instance } = this.#ports;
    store.transaction(() => {
      for (const index of scene.names.keys()) {
        const turn = store.turn(sceneTurnId(scene.id, index));
        if (turn && (turn.instance === null || turn.instance === instance)) store.saveTurn(madePrivate(turn));
      }
    });
  }

  /** The interaction itself created this message, so nothing needs to be stored before an edit. */
  #createPump(turn: TurnRecord, scene: ScenePart, parts: DeliveredPart[]): Pump {
    const { request } = turn;
    const { rest, rateLimiter, clock, timers, random, requests, log } = this.#ports;
    return new Pump({
      rest,
      rateLimiter,
      endpoint: { applicationId: request.applicationId, token: scene.token },
      botEndpoint: findBotEndpoint(this.#ports, request),
      turnId: scene.id,
      strayUntil: this.#straysUntil(turn),
      acknowledgedAt: request.receivedAt,
      repliesTo: null,
      links: plainLinks,
      maxMessages: 1,
      waits: false,
      ledger: {
        parts: () => parts,
        sending: () => true,
        sent: (index, { id, ephemeral }) => {
          parts[index] = { state: "sent", id };
          if (ephemeral) this.#makePrivate(scene);
          return true;
        },
        // The header is its only message, and it stays.
        removed: () => true,
      },
      clock,
      timers,
      random,
      requests,
      log,
      clickTarget: clickTarget(scene.id, request.broughtBy),
      onGone: (why) => {
        for (const index of scene.names.keys()) {
          const id = sceneTurnId(scene.id, index);
          // A turn that already has messages below the header continues without it.
          if (why === "no_access" || this.#ports.store.turn(id)?.parts.length === 0) this.#onGone(id, why);
        }
      },
    });
  }
}

interface SceneHeader {
  pump: Pump;
  parts: DeliveredPart[];
  accepted: Promise<void>;
  /** The turns whose final text this life has sent, or can't send. */
  delivered: Set<string>;
  finished: Promise<void> | null;
}

/** The delivery failures that leave a speaker's final text out of the channel, although nobody has deleted it. */
const UNHEARD: ReadonlySet<string> = new Set(["no_access", "refused", "lost", "token_expired"]);

/** Whether any turn of the scene still has to speak, or has its final text on the way. */
const isLeft = (state: ChannelState, scene: ScenePart, delivered: ReadonlySet<string>): boolean =>
  unfinishedTurns(state).some(({ id, request }) => request.scene?.id === scene.id && !delivered.has(id));
