// The replies of a channel's turns that are not over: one pump each, from the first sign of waiting to the last word.

import { say } from "../../src/core/copy/outcome.ts";
import { ACKNOWLEDGEMENT_RACE_MS, QUEUE_EDIT_GAP_MS } from "../../src/core/limits.ts";
import type { ChannelState, Trigger, TurnRecord, Voice } from "../../src/core/state/record.ts";
import { repliesTo } from "../../src/core/state/reply-rule.ts";
import { type ScenePlace, sceneTurnId } from "../../src/core/state/scene.ts";
import { Pump, type PumpParams } from "../../src/discord/delivery/pump.ts";
import { ReplyWay, type ReplyWayParams } from "../../src/discord/delivery/reply-route.ts";
import { pacedRest } from "../../src/discord/rest/paced-rest.ts";
import { Traffic } from "../../src/discord/rest/rate-limiter.ts";
import {
  type ChannelRoute,
  type DiscordRest,
  type MessageBody,
  ORIGINAL,
  type ReplyRoute,
  type WebhookRoute,
} from "../../src/discord/rest/rest.ts";
import type { ChannelParts } from "../parts.ts";
import { maxMessagesHere, settingsHere } from "../settings/settings-here.ts";
import { saidText } from "../turn/turn-store.ts";
import { openReplyLedger } from "./reply-ledger.ts";
import { Scenes } from "./scenes.ts";
import { decideFirstRoute, findVoice, personaLead } from "./voice.ts";
import { type TurnReply, VoiceReply } from "./voice-reply.ts";

const UNKNOWN_WEBHOOK = 10015;
const FOLLOWUP_RETRY_MS = 500;

/** Told when a reply can't be written any more. `no_access`: nor can any other in this channel. */
type OnGone = (turnId: string, why: "gone" | "no_access") => void;

/** Keeps the pumps and says to waiting people where they stand. */
export class Replies {
  readonly #parts: ChannelParts;
  /** What this object knows of Discord's limits: replies and the bot's other requests keep to it together. */
  readonly traffic: Traffic;
  readonly #rest: DiscordRest;
  readonly #replies = new Map<string, TurnReply>();
  readonly #scenes: Scenes;
  readonly #onGone: OnGone;

  constructor(parts: ChannelParts, onGone: OnGone) {
    this.#parts = parts;
    const { rest, clock, timers, log } = parts;
    this.traffic = new Traffic(clock, log);
    this.#rest = pacedRest(rest, this.traffic, timers, clock);
    this.#onGone = onGone;
    this.#scenes = new Scenes({ ...parts, rest: this.#rest }, this.traffic, onGone);
  }

  /** The turn's reply; made on first use, over what an earlier life may have sent. */
  of(turn: TurnRecord): TurnReply {
    const known = this.#replies.get(turn.id);
    if (known) return known;
    const { scene } = turn.trigger;
    const reply = scene ? this.#voiceOf(turn, scene) : this.#pumpOf(turn);
    this.#replies.set(turn.id, reply);
    return reply;
  }

  /** Ends what stands around the replies of a scene's turns, once none is left. */
  async finishScene(turn: TurnRecord): Promise<void> {
    if (turn.trigger.scene) await this.#scenes.finish(turn, turn.trigger.scene);
  }

  #pumpOf(turn: TurnRecord, more: Partial<PumpParams> = {}): Pump {
    const { clock, timers, random, log } = this.#parts;
    return new Pump({
      ...this.#wayTo(turn),
      maxMessages: maxMessagesHere(this.#parts, turn.trigger),
      waits: turn.renewal === "asked",
      lead: personaLead(turn),
      clock,
      timers,
      random,
      log,
      onGone: (why) => this.#onGone(turn.id, why),
      ...more,
    });
  }

  /** A persona's reply beside its scene's first line. */
  #voiceOf(turn: TurnRecord, scene: ScenePlace): VoiceReply {
    this.#scenes.show(turn, scene);
    return new VoiceReply({
      hasParts: turn.parts.length > 0,
      find: async () => {
        await this.#spokenBefore(scene);
        const voice = turn.voice ?? (await findVoice(this.#parts, turn, scene));
        if (!voice) return "mute";
        const voiced = this.#keepVoice(turn.id, voice);
        if (!voiced) return "superseded";
        // The first followup to a deferral becomes the deferred message itself (Discord): the line has to stand there before.
        if (voice.kind === "followup") await this.#scenes.shown(turn, scene);
        const revoice = voice.kind === "webhook" ? { revoice: () => this.#revoice(voiced, scene) } : {};
        return this.#pumpOf(voiced, { asFollowups: true, isBare: true, ...revoice });
      },
    });
  }

  /** A scene is heard in its order: the one before has begun to speak, or won't. */
  async #spokenBefore({ id, index }: ScenePlace): Promise<void> {
    const before = index === 0 ? null : this.#parts.store.turn(sceneTurnId(id, index - 1));
    if (before?.state !== "closing" || before.parts.some(({ state }) => state === "sent")) return;
    const reply = this.of(before);
    if (reply instanceof VoiceReply) await reply.begun;
  }

  /** Another webhook in place of one that is gone. */
  async #revoice(turn: TurnRecord, scene: ScenePlace): Promise<ReplyRoute | null> {
    this.#parts.voices?.forget(scene.webhookChannelId ?? "");
    const voice = await findVoice(this.#parts, turn, scene);
    const voiced = voice?.kind === "webhook" ? this.#keepVoice(turn.id, voice) : null;
    return voiced && decideFirstRoute(voiced);
  }

  /** Stores the voice before anything is said by it; answers the turn with it. Null: another life has the turn. */
  #keepVoice(id: string, voice: Voice): TurnRecord | null {
    const { store, instance } = this.#parts;
    return store.transaction(() => {
      const turn = store.turn(id);
      if (!turn || turn.state === "finished" || (turn.instance !== null && turn.instance !== instance)) return null;
      const voiced = { ...turn, voice };
      store.saveTurn(voiced);
      return voiced;
    });
  }

  /** The reply goes on with a press's token, which is written down already. A reply that nothing writes just now needs no word. */
  renew({ id, trigger }: TurnRecord, route: WebhookRoute): void {
    this.#replies.get(id)?.renew(route, trigger.receivedAt);
  }

  /** Does the bot write this reply with its own token? */
  isByBot(turnId: string): boolean {
    return this.#replies.get(turnId)?.isByBot ?? false;
  }

  /** Could the bot go on with this reply when the interaction's token is over? Asks Discord. */
  async isOpenToBot(turn: TurnRecord): Promise<boolean> {
    const botRoute = this.#botRouteTo(turn.trigger);
    if (!botRoute) return false;
    const id = turn.parts[0]?.id ?? (await this.#firstMessageOf(turn));
    return id !== null && (await this.#rest.read(botRoute, id)).ok;
  }

  /** The id of a first message that nothing was written into yet. */
  async #firstMessageOf(turn: TurnRecord): Promise<string | null> {
    const result = await this.#rest.read(decideFirstRoute(turn), ORIGINAL);
    if (!result.ok) return null;
    return openReplyLedger(this.#parts, turn.id).sent(0, result.message.id) ? result.message.id : null;
  }

  /** Takes the buttons of a reply that has had its last word away, if one request can do it. */
  async dropButtons(turn: TurnRecord): Promise<void> {
    const way = new ReplyWay(this.#wayTo(turn));
    if (this.#parts.clock() >= way.endsAt && !way.goOn()) return;
    await way.edit(Math.max(0, turn.parts.length - 1), { components: [] });
  }

  #wayTo(turn: TurnRecord): ReplyWayParams {
    return {
      rest: this.#rest,
      traffic: this.traffic,
      route: decideFirstRoute(turn),
      botRoute: this.#botRouteTo(turn.trigger),
      turnId: turn.id,
      acknowledgedAt: turn.trigger.receivedAt,
      repliesTo: repliesTo(turn),
      ledger: openReplyLedger(this.#parts, turn.id),
      linkPreviews: settingsHere(this.#parts).link_previews,
    };
  }

  #botRouteTo({ channelId, botIsHere }: Trigger): ChannelRoute | null {
    return this.#parts.config.discord.botToken === null || botIsHere === false ? null : { channelId };
  }

  /** Forgets a reply that has had its last word. */
  drop(turnId: string): void {
    this.#replies.delete(turnId);
  }

  /** Lets nothing more out of a reply that another life or epoch writes from now on. */
  abandon(turnId: string): void {
    this.#replies.get(turnId)?.abandon();
    this.drop(turnId);
  }

  /** The text that Discord shows of a turn's reply, without our small lines and names; null when it can't be had. */
  async readBack(turn: TurnRecord): Promise<string | null> {
    const shown: string[] = [];
    for (const { id } of turn.parts.filter((part) => part.state === "sent" && part.id !== null)) {
      const result = await this.#rest.read(decideFirstRoute(turn), id ?? "");
      if (!result.ok) return null;
      shown.push(withoutSmallLines(result.message.content));
    }
    const text = shown.join("\n");
    const lead = personaLead(turn);
    return text.startsWith(lead) ? text.slice(lead.length) : text;
  }

  /** Shows everybody who waits their place and who is before them. Where nobody asked, nobody waits for a sign. */
  showPlaces({ running, queue }: ChannelState): void {
    const { notices } = settingsHere(this.#parts);
    const before = running ? [running.trigger.userId] : [];
    queue.forEach((turn, index) => {
      const line = notices ? say.waiting(index + 1, [...new Set(before)]) : null;
      const text = saidText(this.#parts.store.messagesInTurn(turn.id));
      const { token, scene } = turn.trigger;
      if (token !== null) this.of(turn).show({ text, line, gapMs: QUEUE_EDIT_GAP_MS });
      if (scene?.index === 0) this.#scenes.show(turn, scene, line);
      before.push(turn.trigger.userId);
    });
  }

  /**
   * Says a sentence to one person through the interaction that they just made. At most once: only Discord's own race after
   * an acknowledgement, which proves that nothing was posted, is tried again.
   */
  async tellPrivately(route: WebhookRoute, content: string): Promise<void> {
    const { clock, timers, log } = this.#parts;
    const givenUpAt = clock() + ACKNOWLEDGEMENT_RACE_MS;
    for (;;) {
      const result = await this.#rest.create(route, { content, ephemeral: true });
      if (result.ok) return;
      const raced = result.kind === "refused" && result.code === UNKNOWN_WEBHOOK && clock() < givenUpAt;
      if (!raced) return log.warn("a private sentence was not delivered", { text: result.text });
      await new Promise<void>((resolve) => timers.after(FOLLOWUP_RETRY_MS, resolve));
    }
  }

  /** Posts pages as the bot, one after the other and each once; the first that fails is the last, and is logged only. */
  async postSilently(route: ChannelRoute, turnId: string, pages: NonNullable<MessageBody["embed"]>[]): Promise<void> {
    for (const [index, embed] of pages.entries()) {
      const result = await this.#rest.create(route, { embed, silent: true }, `${turnId}-t${index}`);
      if (!result.ok) return this.#parts.log.warn("thoughts were not posted", { turnId, text: result.text });
    }
  }
}

/** The answer in a message: what stands before our small lines at its end. */
function withoutSmallLines(content: string): string {
  const lines = content.split("\n");
  while (lines.length > 0 && (lines.at(-1)?.startsWith("-# ") || lines.at(-1)?.trim() === "")) lines.pop();
  return lines.join("\n");
}
