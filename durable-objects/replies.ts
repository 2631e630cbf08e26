// The replies of a channel's turns that are not over: one pump each, from the first sign of waiting to the last word.
import { ACKNOWLEDGEMENT_RACE_MS, QUEUE_EDIT_GAP_MS } from "../src/core/limits.ts";
import { say } from "../src/core/outcome.ts";
import type { ChannelState, DeliveredPart, Trigger, TurnRecord } from "../src/core/record.ts";
import { repliesTo } from "../src/core/reply-rule.ts";
import { withEvent } from "../src/core/turn-events.ts";
import { pacedRest } from "../src/discord/paced-rest.ts";
import type { PartsLedger } from "../src/discord/parts-ledger.ts";
import { Pump } from "../src/discord/pump.ts";
import { ReplyWay, type ReplyWayParams } from "../src/discord/reply-way.ts";
import {
  type ChannelRoute,
  type DiscordRest,
  type MessageBody,
  ORIGINAL,
  type ReplyRoute,
  type WebhookRoute,
} from "../src/discord/rest.ts";
import { Traffic } from "../src/discord/traffic.ts";
import type { ChannelParts } from "./parts.ts";
import { maxMessagesHere, settingsHere } from "./settings-here.ts";
import { saidText } from "./turn-store.ts";

const UNKNOWN_WEBHOOK = 10015;
const FOLLOWUP_RETRY_MS = 500;

/** Told when a reply can't be written any more. `no_access`: nor can any other in this channel. */
type OnGone = (turnId: string, why: "gone" | "no_access") => void;

/** Keeps the pumps and says to waiting people where they stand. */
export class Replies {
  readonly #parts: ChannelParts;
  /** What is known of Discord's limits; all that the object sends shares it. */
  readonly #traffic: Traffic;
  readonly #rest: DiscordRest;
  readonly #pumps = new Map<string, Pump>();
  readonly #onGone: OnGone;

  constructor(parts: ChannelParts, onGone: OnGone) {
    this.#parts = parts;
    const { rest, clock, timers, log } = parts;
    this.#traffic = new Traffic(clock, log);
    this.#rest = pacedRest(rest, this.#traffic, timers, clock);
    this.#onGone = onGone;
  }

  /** The turn's reply; made on first use, over what an earlier life may have sent. */
  of(turn: TurnRecord): Pump {
    const known = this.#pumps.get(turn.id);
    if (known) return known;
    const { clock, timers, random, log } = this.#parts;
    const pump = new Pump({
      ...this.#wayTo(turn),
      maxMessages: maxMessagesHere(this.#parts, turn.trigger),
      waits: turn.renewal === "asked",
      clock,
      timers,
      random,
      log,
      onGone: (why) => this.#onGone(turn.id, why),
    });
    this.#pumps.set(turn.id, pump);
    return pump;
  }

  /** The reply goes on with a press's token, which is written down already. A reply that nothing writes just now needs no word. */
  renew({ id, trigger }: TurnRecord, route: WebhookRoute): void {
    this.#pumps.get(id)?.renew(route, trigger.receivedAt);
  }

  /** Does the bot write this reply with its own token? */
  isByBot(turnId: string): boolean {
    return this.#pumps.get(turnId)?.isByBot ?? false;
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
    const result = await this.#rest.read(firstRouteOf(turn.trigger), ORIGINAL);
    if (!result.ok) return null;
    return this.#ledgerOf(turn.id).sent(0, result.message.id) ? result.message.id : null;
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
      traffic: this.#traffic,
      route: firstRouteOf(turn.trigger),
      botRoute: this.#botRouteTo(turn.trigger),
      turnId: turn.id,
      acknowledgedAt: turn.trigger.receivedAt,
      repliesTo: repliesTo(turn),
      ledger: this.#ledgerOf(turn.id),
      linkPreviews: settingsHere(this.#parts).link_previews,
    };
  }

  #botRouteTo({ channelId, botIsHere }: Trigger): ChannelRoute | null {
    return this.#parts.config.discord.botToken === null || botIsHere === false ? null : { channelId };
  }

  /** Forgets a reply that has had its last word. */
  drop(turnId: string): void {
    this.#pumps.delete(turnId);
  }

  /** Lets nothing more out of a reply that another life or epoch writes from now on. */
  abandon(turnId: string): void {
    this.#pumps.get(turnId)?.abandon();
    this.drop(turnId);
  }

  /** The text that Discord shows of a turn's reply, without our small lines; null when it can't be had. */
  async readBack({ trigger, parts }: TurnRecord): Promise<string | null> {
    const shown: string[] = [];
    for (const { id } of parts.filter((part) => part.state === "sent" && part.id !== null)) {
      const result = await this.#rest.read(firstRouteOf(trigger), id ?? "");
      if (!result.ok) return null;
      shown.push(withoutSmallLines(result.message.content));
    }
    return shown.join("\n");
  }

  /** Shows everybody who waits their place and who is before them. Where nobody asked, nobody waits for a sign. */
  showPlaces({ running, queue }: ChannelState): void {
    const { notices } = settingsHere(this.#parts);
    const before = running ? [running.trigger.userId] : [];
    queue.forEach((turn, index) => {
      const line = notices ? say.waiting(index + 1, [...new Set(before)]) : null;
      const text = saidText(this.#parts.store.messagesOf(turn.id));
      if (turn.trigger.token !== null) this.of(turn).show({ text, line, gapMs: QUEUE_EDIT_GAP_MS });
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

  /** Part writes are conditional on the turn: still open, and not in the hands of another life. */
  #ledgerOf(turnId: string): PartsLedger {
    const { store, instance, clock } = this.#parts;
    const put = (index: number, part: DeliveredPart) =>
      store.transaction(() => {
        const turn = store.turn(turnId);
        if (!turn || turn.state === "finished" || (turn.instance !== null && turn.instance !== instance)) return false;
        const parts = [...turn.parts];
        parts[index] = part;
        const sent = { at: clock(), what: "sent", detail: `message ${index + 1}` };
        const events = part.state === "sent" ? withEvent(turn.events, sent) : turn.events;
        store.saveTurn({ ...turn, parts, events });
        return true;
      });
    const parts = () => store.turn(turnId)?.parts ?? [];
    return {
      parts,
      sending: (index) => put(index, { state: "sending", id: null, since: parts()[index]?.since ?? clock() }),
      sent: (index, id) => put(index, { state: "sent", id }),
    };
  }
}

/** By an interaction's token where there is one, else by the bot's. */
function firstRouteOf({ token, applicationId, channelId }: Trigger): ReplyRoute {
  return token === null ? { channelId } : { applicationId, token };
}

/** The answer in a message: what stands before our small lines at its end. */
function withoutSmallLines(content: string): string {
  const lines = content.split("\n");
  while (lines.length > 0 && (lines.at(-1)?.startsWith("-# ") || lines.at(-1)?.trim() === "")) lines.pop();
  return lines.join("\n");
}
