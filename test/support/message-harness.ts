// Harness: a channel's object through its own composition root, and people who ask by message. It is the fault harness without faults,
// behind a door that does what the gateway's object does. Use it for what people see after asking by message, with every request to
// Discord and its time.

import type { HeardReceipt } from "../../src/gateway/heard.ts";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import type { Options } from "../../src/playground/discord/options.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import { planFaults } from "../faults/plan.ts";
import type { Story } from "../faults/stories.ts";
import { FaultHarness } from "./fault-harness.ts";
import type { DoorParts, GatewayDoor } from "./gateway-door.ts";
import type { Answer } from "./scripted-model.ts";
import { openButtons } from "./shown-answer.ts";

export { BOT } from "./gateway-door.ts";

/** How a channel differs from the default. */
export interface MessageHarnessOptions {
  answerTo?: (request: ModelRequest, model: number) => Answer;
  channelId?: string;
  discord?: Partial<Options>;
  variables?: Readonly<Record<string, string>>;
  readsContent?: boolean;
  /** The settings of this channel. */
  settings?: Readonly<Record<string, string>>;
  parentSettings?: Record<string, string>;
  more?: DoorParts["more"];
}

/** The channel and its people. */
export interface MessageHarness {
  world: FaultHarness;
  door: GatewayDoor;
  /** Somebody writes. Returns the message's id. */
  write(as: string, content: string, how?: object): string;
  /** Uses `/chat`, and waits for the answer. Returns the id of its first message. */
  chat(as: string, message: string): Promise<string>;
  /** Uses another command, `persona use` for a subcommand. */
  use(as: string, command: string, options?: Record<string, string | number>): Promise<unknown>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Waits until nothing is planned any more. */
  rest(): Promise<void>;
  /** The requests to Discord since the last call: `seconds METHOD what → answer`. */
  requests(): string[];
  /** What the bot has written in the channel, oldest first: `text [Stop]`. */
  reads(as?: string, channelId?: string): string[];
  /** The question that the model was asked last. */
  question(): string;
  receipts(): HeardReceipt[];
  /** Clicks a button of the last message that has it. */
  click(as: string, label: string): Promise<unknown>;
}

const MAX_STEPS = 5000;

/** Makes a channel in which nothing has been said. */
export async function createMessageHarness(options: MessageHarnessOptions = {}): Promise<MessageHarness> {
  const { channelId = PLACES.general, readsContent = false, settings = {}, parentSettings = {} } = options;
  const story: Story = {
    name: "messages",
    answerTo: options.answerTo ?? (() => ({ texts: ["Hello ", "there."] })),
    play: async () => {},
    full: {},
    variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken, ...options.variables },
  };
  const world = new FaultHarness(story, planFaults(), channelId);
  world.parentSettings = parentSettings;
  const { discord, clock } = world;
  discord.configure({ messageContentIntent: readsContent, ...options.discord });
  const door = world.openDoor({ readsContent, ...(options.more && { more: options.more }) });
  for (const [key, value] of Object.entries(settings)) await world.change({ key, value });
  const start = clock.now();
  let looked = 0;
  const pass = async (ms: number) => {
    const until = clock.now() + ms;
    for (let steps = 0; steps < MAX_STEPS && (await world.step(until)) && clock.now() < until; steps++);
    await clock.advance(Math.max(0, until - clock.now()));
  };
  const rest = async () => {
    for (let steps = 0; steps < MAX_STEPS && (await world.step(Number.POSITIVE_INFINITY)); steps++);
  };
  return {
    world,
    door,
    async chat(as, message) {
      const used = { kind: "command", as, channel: channelId, name: "chat", options: { message } } as const;
      const { messageId = "" } = await world.during(discord.interact(used));
      await rest();
      return messageId;
    },
    use(as, command, options = {}) {
      const [name = "", subcommand] = command.split(" ");
      const used = {
        kind: "command",
        as,
        channel: channelId,
        name,
        options,
        ...(subcommand && { subcommand }),
      } as const;
      return world.during(discord.interact(used));
    },
    write: (as, content, how = {}) => discord.speak({ as, channel: channelId, content, ...how }),
    pass,
    rest,
    requests() {
      const entries = discord.log.slice(looked);
      looked = discord.log.length;
      return entries.map(({ at, method, path, status, code, body }) => {
        const { content, components } = (body ?? {}) as { content?: string; components?: unknown[] };
        const what = decodeURIComponent(path)
          .replace(/\d{17,}/g, (id) => NAMES[id] ?? "N")
          .replace(/webhooks\/[^ ]+/, "webhooks/…");
        const text = content === undefined ? "" : ` ${JSON.stringify(content)}`;
        const buttons = components === undefined ? "" : ` [${open(components).join(" ")}]`;
        return `${(at - start) / 1000} ${method} ${what}${text}${buttons} → ${code ?? status}`;
      });
    },
    reads: (as = PEOPLE.theo, where = channelId) =>
      discord
        .messages(where, as)
        .filter(({ author }) => author.bot)
        .map(
          ({ content, components }) =>
            `${content}${open(components).length > 0 ? ` [${open(components).join(" ")}]` : ""}`,
        ),
    question: () => world.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.text ?? "",
    receipts: () => door.receipts,
    click(as, label) {
      const shown = discord.messages(channelId, as);
      const message = shown.findLast(({ components }) => labels(components).includes(label));
      const customId = buttons(message?.components ?? []).find((one) => one.label === label)?.custom_id ?? "none";
      return world.during(
        discord.interact({ kind: "click", as, channel: channelId, messageId: message?.id ?? "", customId }),
      );
    },
  };
}

const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(PLACES).map(([name, id]) => [id, name])),
  [APPLICATION.id]: "bot",
};

type Row = { components?: { label?: string; custom_id?: string }[] };
const buttons = (rows: unknown[]) => (rows as Row[]).flatMap(({ components = [] }) => components);
/** A message's buttons without Regenerate and Delete. */
const open = (rows: unknown[]) => openButtons(rows).map(({ label = "" }) => label);
/** The labels of all buttons below a message. */
export const labels = (rows: unknown[]): string[] => buttons(rows).map(({ label = "" }) => label);
