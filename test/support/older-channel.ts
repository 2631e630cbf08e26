// Harness: the database that an older program left in the middle of its work (test/fixtures/channel-v6.sql), opened by today's
// program. Use it to test upgrades: which tool calls really run, and what Discord is asked for.
import { readFileSync } from "node:fs";
import type { SqliteStorage } from "../../durable-objects/store/sqlite-storage.ts";
import type { ApprovalAnswer, ApprovalClick, Receipt } from "../../src/core/state/rpc.ts";
import type { Message } from "../../src/core/transcript/transcript.ts";
import { type DiscordRest, type Endpoint, isByBot, ORIGINAL, type RestResult } from "../../src/discord/rest/rest.ts";
import type { Tool } from "../../src/toolkit/define/tool.ts";
import { revealMessageMetadata } from "../../src/tools/reveal-message-metadata.ts";
import type { ModelEvent } from "../../src/turn/ports.ts";
import { type ChannelHarness, type ChannelHarnessOptions, createChannelHarness } from "./channel-harness.ts";
import { nodeSqlite } from "./node-sqlite.ts";
import { testRequest } from "./store-contract.ts";
import { EFFECT, end, text, tool } from "./turn-script.ts";

const SQL = readFileSync(new URL("../fixtures/channel-v6.sql", import.meta.url), "utf8");

/** When the next life begins: a while after the older program's life ended at 12:20:41.5. */
const NOW = Date.UTC(2030, 0, 1, 12, 21);
const MOMENT_MS = 10_000;

/** A copy of the database. */
export function olderDatabase(): ReturnType<typeof nodeSqlite> {
  const database = nodeSqlite();
  database.sql.exec(SQL);
  return database;
}

/** The channel in its first life under this program. */
export interface OlderChannel {
  c: ChannelHarness;
  database: SqliteStorage;
  /** Tool calls that ran: `tool note key`. */
  ran: string[];
  /**
   * Requests to Discord about the messages of this token or channel: `verb message: text`, or `(buttons)` if only the buttons change.
   */
  sent(endpoint: string): string[];
  /** Lets ten seconds pass, so that everything that is due is sent. */
  moment(): Promise<void>;
  /** Runs the alarm, and lets a moment pass. */
  wake(): Promise<void>;
  /** A message from this person arrives. */
  submit(id: string, userId: string, words: string): Receipt;
  /** Theo clicks Approve below the request of the parked turn. */
  click(interactionId: string, more?: Partial<ApprovalClick>): ApprovalAnswer;
  /** Makes the waiting model send this and end its answer, and lets a moment pass. */
  answer(events: ModelEvent[]): Promise<void>;
  /** The ids of the unfinished turns. */
  states(): { running: string | null; queue: string[]; parked: string[]; closing: string[] };
  /** The conversation of a request to the model, one message per line; by default of the last request. */
  lines(request?: number): string[];
  /** The tools of the last request. */
  offered(): string[];
}

/** Opens a copy. */
export function olderChannel(): OlderChannel {
  const ran: string[] = [];
  const sent: { endpoint: string; line: string }[] = [];
  const database = olderDatabase();
  const rest: ChannelHarnessOptions["rest"] = (_clock, isAlive) =>
    recording(isAlive, (endpoint, line) => void sent.push({ endpoint, line }));
  const c = createChannelHarness({ tools: toolsOf(ran), database, startsAt: NOW, rest });
  const moment = () => c.clock.advance(MOMENT_MS);
  const ids = (turns: { id: string }[]) => turns.map(({ id }) => id);
  return {
    c,
    database,
    ran,
    sent: (endpoint) => sent.flatMap((one) => (one.endpoint === endpoint ? [one.line] : [])),
    moment,
    wake() {
      c.runAlarm();
      return moment();
    },
    submit: (id, userId, words) =>
      c.submit({ trigger: { ...testRequest(id, userId), text: words, receivedAt: c.clock.now() } }),
    click: (interactionId, more = {}) =>
      c.approve({
        interactionId,
        turnId: "110",
        approved: true,
        userId: "10",
        userName: "Theo",
        moderator: false,
        press: { applicationId: "1", token: `token-${interactionId}`, messageId: "original-token-110" },
        ...more,
      }),
    async answer(events) {
      if (!c.answer(events)) throw new Error("nobody waits for an answer of the model");
      await moment();
    },
    states() {
      const { running, queue, parked, closing } = c.store.state();
      return { running: running?.id ?? null, queue: ids(queue), parked: ids(parked), closing: ids(closing) };
    },
    lines: (request = c.requests.length - 1) => (c.requests[request]?.messages ?? []).map(lineOf),
    offered: () => (c.requests.at(-1)?.tools ?? []).map(({ name }) => name),
  };
}

/** Opens a copy and answers the turns that were running or waiting. One parked turn is left. */
export async function restedChannel(): Promise<OlderChannel> {
  const older = olderChannel();
  await older.wake();
  await older.answer(says("There."));
  await older.answer(says("You too."));
  return older;
}

/** An answer of the model. */
export const says = (words: string): ModelEvent[] => [text(words), end()];

/** One message as a line. */
function lineOf(message: Message): string {
  if (message.role === "tool") return `${message.callId} = ${message.text}`;
  if (message.role === "user") return `> ${message.text}`;
  const called = message.calls.map(({ id, name, arguments: args }) => ` ${id}: ${name}${args}`);
  return `${message.text}${called.join("")}${message.native ? ` ${JSON.stringify(message.native)}` : ""}`;
}

/** The tools of the older program that its turns still use. */
function toolsOf(ran: string[]): Tool[] {
  const named = (name: string, over: Partial<Tool> = EFFECT) =>
    tool(
      name,
      ({ idempotencyKey }, { note = "" }) => {
        ran.push(`${name} ${note} ${idempotencyKey}`);
        return { ok: true, data: `new ${name}` };
      },
      { ...over, triggers: { phrases: [name] } },
    );
  return [
    named("look", {}),
    named("count"),
    named("hold"),
    named("put", { ...EFFECT, hints: { readOnly: false, idempotent: true, destructive: false, openWorld: true } }),
    named("purge", { ...EFFECT, category: "dangerous" }),
    named("label", { ...EFFECT, idempotencyKey: (input) => `label ${(input as { note: string }).note}` }),
    revealMessageMetadata,
  ];
}

/** Accepts and records every request. A life that has ended gets no answer. */
function recording(isAlive: () => boolean, tell: (endpoint: string, line: string) => void): DiscordRest {
  const describeEndpoint = (target: Endpoint) =>
    "token" in target ? target.token : isByBot(target) ? target.channelId : target.username;
  const take = async (verb: string, target: Endpoint, id: string, content = "(buttons)"): Promise<RestResult> => {
    if (!isAlive()) return new Promise(() => {});
    const endpoint = describeEndpoint(target);
    tell(endpoint, `${verb} ${id}: ${content}`);
    return { ok: true, message: { id: id === ORIGINAL ? `original-${endpoint}` : id, content, ephemeral: false } };
  };
  return {
    create: (target, body) => take("create", target, "new", body.content),
    edit: (target, id, body) => take("edit", target, id, body.content),
    remove: (target, id) => take("remove", target, id),
    read: (target, id) => take("read", target, id),
  };
}
