// One life of the gateway's session. Feeds one input at a time to the pure session and performs its actions in one tick: it first stores
// what the session wants stored, in one transaction, then does the rest in order. The result of slow work comes back as a separate input.
// Decides nothing.
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import { readFrame, writeFrame } from "../../src/discord/gateway/frames.ts";
import { gatewayAddress } from "../../src/discord/gateway/rest-answers.ts";
import { channelOf, type ForwardedEvent, guildOf } from "../../src/gateway/forwarded-event.ts";
import { beginGateway, type GatewayState } from "../../src/gateway/gateway-state.ts";
import { readGatewayStatus } from "../../src/gateway/gateway-status.ts";
import type { Frame, GatewayAction, GatewayInput } from "../../src/gateway/inputs-and-actions.ts";
import { stepGateway } from "../../src/gateway/session.ts";
import { forwardEvent, personOf } from "./forwarder.ts";
import type { GatewayPorts } from "./gateway-ports.ts";
import { Line } from "./line.ts";

const SEEDS = 2 ** 32;

/** One life. `onBroken` gets an error of our own that happens outside a call; this life must then be given up. */
export class LiveGateway {
  readonly #ports: GatewayPorts;
  readonly #onBroken: (error: unknown) => void;
  readonly #line: Line;
  #state: GatewayState;
  #cancelTimer = () => {};
  #isOver = false;

  /** Throws when the storage can't be read. */
  constructor(ports: GatewayPorts, onBroken: (error: unknown) => void) {
    this.#ports = ports;
    this.#onBroken = onBroken;
    const seed = Math.floor(ports.random() * SEEDS);
    this.#state = beginGateway({ program: ports.program, ...ports.store.load(), seed });
    this.#line = new Line(ports.upgrade, ports.timers, {
      opened: (generation) => this.#hear({ kind: "opened", generation }),
      text: (generation, text) => this.#hear({ kind: "frame", generation, frame: this.#read(text) }),
      closed: (generation, code) => this.#hear({ kind: "closed", generation, code }),
      failed: (generation, status) => this.#hear({ kind: "failed", generation, status }),
    });
  }

  /** What the session is doing. */
  get status(): GatewayStatus {
    return readGatewayStatus(this.#state);
  }

  /** Feeds one input. Throws on an error of our own; then this life must be given up. */
  feed(input: GatewayInput): void {
    if (this.#isOver) return;
    const { state, actions } = stepGateway(this.#state, input, this.#ports.clock());
    this.#state = state;
    this.#ports.store.keep(actions);
    for (const action of actions) this.#perform(action);
  }

  /** Ends this life without informing the session: the next one begins with what is stored. */
  giveUp(): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.#line.hangUp(4000);
  }

  #hear(input: GatewayInput): void {
    try {
      this.feed(input);
    } catch (error) {
      this.#onBroken(error);
    }
  }

  /** Reads a frame. Messages of people who are known to be refused are ignored, without a row or a request. All others are checked later. */
  #read(text: string | null): Frame {
    const frame: Frame = text === null ? { op: "unreadable", why: "no text" } : readFrame(text);
    if (frame.op !== "dispatch" || frame.event.kind !== "message") return frame;
    const { gate, policy } = this.#ports;
    return gate.refuses(personOf(frame.event.message), policy) ? { ...frame, event: { kind: "ignored" } } : frame;
  }

  /** Performs an action, except for what the store has already stored. */
  #perform(action: GatewayAction): void {
    const { rest, token, timers, clock, log } = this.#ports;
    switch (action.kind) {
      case "save":
        // In the same tick as the row, so both are stored together.
        this.#setAlarm(action.alarmAt);
        break;
      case "alarm":
        this.#setAlarm(action.at);
        break;
      case "timer":
        this.#cancelTimer();
        this.#cancelTimer =
          action.at === null ? () => {} : timers.after(action.at - clock(), () => this.#hear({ kind: "timer" }));
        break;
      case "look_up":
        this.#answer(rest.lookUp(action.generation));
        break;
      case "connect":
        this.#line.open(action.generation, gatewayAddress(action.url));
        break;
      case "send":
        this.#line.send(action.generation, writeFrame(action.send, token));
        break;
      case "close":
        this.#line.hangUp(action.code);
        break;
      case "forward":
        this.#answer(this.#forward(action.key, action.event));
        break;
      case "find_role":
        this.#answer(this.#findRole(action.guildId));
        break;
      case "read":
        this.#answer(this.#readChannel(action));
        break;
      case "interaction":
        void this.#ports.interaction(action.json);
        break;
      case "restart":
        this.giveUp();
        this.#ports.restart();
        break;
      case "log":
        log[action.level](action.line, action.detail);
        break;
    }
  }

  #setAlarm(at: number | null): void {
    this.#ports.setAlarm(at).catch(this.#onBroken);
  }

  /** Feeds the work's result as an input. The work itself never rejects. */
  #answer(work: Promise<GatewayInput>): void {
    work.then((input) => this.#hear(input), this.#onBroken);
  }

  async #forward(key: string, event: ForwardedEvent): Promise<GatewayInput> {
    const { saved, live, known } = this.#state;
    // Before READY has named us, nothing is recognized as a question.
    if (!saved.self) return { kind: "forward_failed", key };
    // An edit does not say in which server it is.
    const place = known.channels[channelOf(event)]?.place;
    const role = live.roles[place && "guildId" in place ? place.guildId : guildOf(event)];
    const forwarded = await forwardEvent(this.#ports, event, {
      self: saved.self,
      ...(role && { ownRoleId: role.roleId }),
      readsContent: saved.readsContent,
    });
    if (forwarded === "failed") return { kind: "forward_failed", key };
    if (forwarded === "refused") return { kind: "refused", key };
    return { kind: "forwarded", key, answerTo: forwarded.answerTo ?? null };
  }

  async #findRole(guildId: string): Promise<GatewayInput> {
    const { self } = this.#state.saved;
    const role = self && (await this.#ports.rest.ownRole(guildId, self.userId));
    return role ? { kind: "role", guildId, roleId: role.roleId } : { kind: "role_failed", guildId };
  }

  async #readChannel(action: Extract<GatewayAction, { kind: "read" }>): Promise<GatewayInput> {
    const { generation, channelId } = action;
    const page = await this.#ports.rest.messages(action);
    return "messages" in page
      ? { kind: "read", generation, channelId, ...page }
      : { kind: "read_failed", generation, channelId, ...page };
  }
}
