// The owners of a random week: they change settings, deploy other variables, run a remote server, and let people opt out. Also what
// must be true of each afterwards.
import { APPROVAL_LIFE_MS } from "../../src/core/decisions/approval.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import type { FaultHarness } from "../support/fault-harness.ts";
import { says } from "../support/mcp-server.ts";
import type { OutageHarness } from "../support/outage-harness.ts";
import { type AnswerRecord, markIn, questionIn } from "./outage-rules.ts";

/** How old a scope's copy may be. */
const COPY_MS = 61_000;
/** Settings that may change without changing what must be true. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  ping_when_done: ["always", "never", "slow"],
  show_question: ["false", "true"],
  notices: ["false", "true"],
  max_messages: ["1", "3", "10"],
  link_previews: ["true", "false"],
  follow_up: ["interrupt", "queue", "steer"],
};
const MODELS = [["scripted 1"], ["scripted 1", "scripted 2"], ["another"]] as const;
const AT_REMOTE = new URL("http://127.0.0.1/mcp");
const REMOTE = JSON.stringify([{ id: "remote", url: AT_REMOTE.href }]);

/** The variables of a deployment with a remote server. */
export const REMOTE_VARIABLES = { MCP_SERVERS: REMOTE } as const;

/** What the owners need of their week. */
export interface Owned {
  harness: OutageHarness;
  random: () => number;
  /** Whether there is a remote server. */
  hasRemote: boolean;
  say: (what: string) => void;
}

/** What somebody has said to others. */
interface Chatter {
  mark: string;
  by: string;
}

/** The owners and what they have done. */
export class WeekOwners {
  readonly #owned: Owned;
  /** The last values set, by channel or thread and then by key. */
  readonly #set = new Map<string, Map<string, string>>();
  /** The notes that were sent to the remote server. */
  readonly #sent: string[] = [];
  readonly #chatter: Chatter[] = [];
  /** Who had opted out, from and to which number of questions. */
  readonly #out: { who: string; from: number; to: number }[] = [];

  constructor(owned: Owned) {
    this.#owned = owned;
    const { remote } = owned.harness.world;
    remote.onCall = (params) => {
      const { note } = (params.arguments ?? {}) as { note?: string };
      this.#sent.push(note ?? "");
      return says("It is sent.");
    };
  }

  /** Changes a setting of the channel or of a thread. */
  async change(where: FaultHarness): Promise<void> {
    const { say } = this.#owned;
    const key = this.#pick(Object.keys(SETTINGS));
    const value = this.#pick(SETTINGS[key] ?? []);
    const shown = await this.#asJuno(where, "set", { key, value });
    const isSet = shown.includes(value);
    say(`${key} = ${value}${isSet ? "" : ` is refused: ${shown}`}`);
    if (isSet) this.#set.set(where.channelId, (this.#set.get(where.channelId) ?? new Map()).set(key, value));
  }

  /** Deploys other variables for the next lives. */
  deploy(): void {
    const { harness, hasRemote, say } = this.#owned;
    if (harness.door.open() > 0) return;
    const models = this.#pick(MODELS).map((id, index) => ({ id, model: `m${index + 1}` }));
    const remote = hasRemote && this.#owned.random() < 0.5 ? REMOTE : "[]";
    say(`a deploy with ${models.map(({ id }) => id).join()}${remote === REMOTE ? " and the server" : ""}`);
    for (const one of harness.objects()) {
      Object.assign(one.variables, { MODELS: JSON.stringify(models), ...(hasRemote && { MCP_SERVERS: remote }) });
      one.restart();
    }
  }

  /** Makes the remote server fail in one way, or work again. */
  breakRemote(): void {
    const { world } = this.#owned.harness;
    const { remote } = world;
    const isBroken = remote.instead !== null || world.hangs(AT_REMOTE);
    const how = isBroken ? "works" : this.#pick(["fails", "hangs", "loses", "is away", "forgets"] as const);
    this.#owned.say(`the server ${how}`);
    this.mend();
    if (how === "forgets") remote.forget();
    if (how === "hangs") world.hangs = ({ pathname }) => pathname === AT_REMOTE.pathname;
    // Only calls fail, because what the server lists is mostly known already.
    const answer = async (request: Request): Promise<Response> => {
      const isCall = (await request.clone().text()).includes('"tools/call"');
      if (isCall && how === "fails") return new Response("broken", { status: 503 });
      if (isCall && how === "is away") throw new TypeError("fetch failed");
      remote.instead = null;
      const answered = await remote.fetch(request).finally(() => {
        remote.instead = answer;
      });
      if (isCall) throw new TypeError("fetch failed");
      return answered;
    };
    if (how === "fails" || how === "loses" || how === "is away") remote.instead = answer;
  }

  /** Lets somebody say something to others. */
  chat(as: string, { channelId: channel }: FaultHarness): void {
    const { harness, say } = this.#owned;
    const mark = `V${this.#chatter.length}X`;
    this.#chatter.push({ mark, by: as });
    say(`chatter ${mark}`);
    harness.write(as, `I like ${mark}.`, { channel });
  }

  /** Lets somebody opt out, or in again. */
  async optOut(as: string, asked: () => number): Promise<void> {
    const { harness, say } = this.#owned;
    const { world } = harness;
    const open = this.#out.find(({ who, to }) => who === as && to === Number.POSITIVE_INFINITY);
    const state = open ? "off" : "on";
    say(`${as} opts out: ${state}`);
    if (open) {
      open.to = asked();
      // A turn that waits for an approval reads the channel again when it continues, so all of these must end first.
      await harness.pass(APPROVAL_LIFE_MS + COPY_MS);
    }
    const used = { as, channel: world.channelId, kind: "command", name: "privacy", subcommand: "opt-out" } as const;
    await world.during(world.discord.interact({ ...used, options: { state } }));
    if (open) return;
    await harness.pass(COPY_MS);
    this.#out.push({ who: as, from: asked(), to: Number.POSITIVE_INFINITY });
  }

  /** Makes everything of theirs work again. */
  mend(): void {
    const { world } = this.#owned.harness;
    world.remote.instead = null;
    world.hangs = () => false;
  }

  /** Describes every violation in words. */
  async findBroken(records: readonly AnswerRecord[]): Promise<string[]> {
    return [
      ...(await this.#setInVain()),
      ...this.#sentTwice(records),
      ...this.#toldAlthoughOut(),
      ...this.#owned.harness.world.remote.violations.map((rule) => `the server was sent: ${rule}`),
    ];
  }

  /** Discord shows the last value of each setting, also in a thread, which inherits its channel's. */
  async #setInVain(): Promise<string[]> {
    const { harness } = this.#owned;
    const found: string[] = [];
    for (const one of this.#set.size > 0 ? harness.objects() : []) {
      if (harness.closed.has(one.channelId)) continue;
      const [here, above] = [this.#set.get(one.channelId), this.#set.get(harness.world.channelId)];
      const shown = await this.#asJuno(one, "show");
      for (const [key, value] of new Map([...(above ?? []), ...(here ?? [])])) {
        const line = shown.split("\n").find((text) => text.includes(key)) ?? "nothing";
        if (!new RegExp(`\\b${value}\\b`).test(line.replace(key, "")))
          found.push(`${key} is set to ${value}, shown is: ${line}`);
      }
    }
    return found;
  }

  /** The server gets one request for each call that an answer makes, whatever became of the answer. */
  #sentTwice(records: readonly AnswerRecord[]): string[] {
    return records.flatMap(({ mark, changes }) => {
      const times = this.#sent.filter((note) => note === mark).length;
      return times > 1 + changes ? [`the server was sent ${mark} ${times} times`] : [];
    });
  }

  #toldAlthoughOut(): string[] {
    const requests = this.#owned.harness.objects().flatMap((one) => one.requests);
    return requests.flatMap((request) => {
      const number = Number(/\d+/.exec(questionIn(request).mark ?? markIn(JSON.stringify(request)) ?? "0"));
      const out = this.#out.filter(({ from, to }) => from < number && number <= to).map(({ who }) => who);
      const said = this.#chatter.filter(({ by }) => out.includes(by));
      const words = JSON.stringify(request);
      return said.flatMap(({ mark }) => (words.includes(mark) ? [`${mark} is told with question ${number}`] : []));
    });
  }

  /** Uses `/config` there. Returns what it says. */
  async #asJuno(
    { channelId: channel }: FaultHarness,
    subcommand: string,
    options: Record<string, string> = {},
  ): Promise<string> {
    const { world } = this.#owned.harness;
    const used = { as: PEOPLE.juno, channel, kind: "command", name: "config", subcommand, options } as const;
    const { messageId } = await world.during(world.discord.interact(used));
    return world.discord.messages(channel, PEOPLE.juno).find(({ id }) => id === messageId)?.content ?? "";
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#owned.random() * items.length)] as Item;
  }
}
