// `npm run chat -- "roll 3d6"`: sends one /chat to the running playground and streams the answer to the terminal. Talks to the local world
// over HTTP like the page; starts no playground and keeps nothing.

import { type Instead, mistake, readArguments } from "../scripts/arguments.ts";
import { endUnread } from "../scripts/closed-pipe.ts";
import type { Named } from "./page/mentions.ts";
import { DEFAULT_PORT, notAPort, readPort } from "./port.ts";
import { nextPrint, terminalText, UNFINISHED } from "./terminal-text.ts";

const USAGE = `Usage: npm run chat -- "your message" [options]

Asks Parley in a running playground (npm start), and prints the answer as it grows.

  --port <number>   port of the playground on this machine (${DEFAULT_PORT})
  --url <address>   address of the playground, instead of --port
  --as <name>       who asks: mira, theo, juno (the owner) or wren (a stranger)
  --server <name>   in which of that person's servers, such as lighthouse
  --channel <name>  where, such as general; parley for direct messages
  -h, --help        print this

The exit code is 0 for an answer, 1 for an error or a refusal, 2 for a mistake in the command.`;
/** How the product marks an answer that ended in an error. */
const ERROR_LINE = /^-# ⚠️/m;
/** Small lines at the end of an unfinished answer come and go: a queue position, a running tool. */
const STATUS_LINES = /(?:^|\n)(-# [^\n]*(?:\n-# [^\n]*)*)\s*$/;
/** An unfinished answer closes its code block; the next edit reopens it with more code. */
const CLOSING_FENCE = /\n```\s*$/;
const WAITING = /^-# Waiting\b/m;

/** What the command needs: `out` receives the answer, `aside` everything else, both as text to append. */
export type Terminal = { fetch: typeof fetch; out: (text: string) => void; aside: (text: string) => void };

type Message = {
  id: string;
  author: { id: string; bot: boolean };
  content: string;
  ephemeral: boolean;
  loading: boolean;
  components: { components?: { label?: string }[] }[];
  interaction?: { userId: string; text: string };
  repliesTo?: { id: string } | null;
  nonce?: string;
  failed?: string;
};
type World = { bot?: Named; servers: Named[]; channels: (Named & { serverId?: string })[]; people: Named[] };
type Said = { ok: boolean; messageId?: string; interactionId?: string; error?: string };

/** Characters that control a terminal. Pages and models write part of what is printed. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** Runs the command; returns its exit code: 0 for an answer, 1 for a refusal, an error or no playground, 2 for wrong usage. */
export async function chat(args: string[], { fetch, out, aside }: Terminal): Promise<number> {
  const terminal: Terminal = {
    fetch,
    out: (text) => out(text.replace(CONTROLS, "\ufffd")),
    aside: (text) => aside(text.replace(CONTROLS, "\ufffd")),
  };
  const wish = readWish(args);
  if ("instead" in wish) {
    const { code, text } = wish.instead;
    (code === 0 ? terminal.out : terminal.aside)(text);
    return code;
  }
  const { base } = wish;
  const state = await json<World>(terminal, `${base}/local/state`);
  if (!state?.people) return complain(terminal, `No playground answers at ${base}: start one with \`npm start\`.`);
  const person = named(state.people, wish.as);
  if (!person) return complain(terminal, `There is no person "${wish.as}". Choose one of: ${list(state.people)}.`, 2);
  const own = (await json<World>(terminal, `${base}/local/state?as=${person.id}`)) ?? state;
  const servers = own.servers.filter(({ id }) => own.channels.some(({ serverId }) => serverId === id));
  const server = wish.server === undefined ? undefined : named(servers, wish.server);
  if (wish.server !== undefined && !server)
    return complain(
      terminal,
      `${person.name} is not in the server "${wish.server}". Choose one of: ${list(servers)}.`,
      2,
    );
  const channels = own.channels.filter(({ serverId }) => !server || serverId === server.id);
  const channel = named(channels, wish.channel);
  if (!channel) {
    const where = server ? " there" : "";
    return complain(
      terminal,
      `${person.name} can't see the channel "${wish.channel}"${where}. Choose one of: ${list(channels)}.`,
      2,
    );
  }

  const view = new URLSearchParams({ channel: channel.id, as: person.id });
  const stream = await terminal.fetch(`${base}/local/events?${view}`).catch(() => undefined);
  const states = snapshots(stream?.body);
  try {
    const before = await states.next();
    if (before.done) return complain(terminal, "The playground did not open the stream of messages.");
    const said = await json<Said>(terminal, `${base}/local/say`, {
      channel: channel.id,
      as: person.id,
      message: wish.message,
    });
    if (!said?.ok) return complain(terminal, said?.error ?? "The playground refused the message.");
    const known = new Set(before.value.map((message) => message.id));
    const isReply = (message: Message) =>
      said.messageId === undefined
        ? !known.has(message.id) &&
          message.interaction?.userId === person.id &&
          message.interaction.text === wish.message
        : message.id === said.messageId;
    const write = terminalText([...state.people, ...(state.bot ? [state.bot] : []), ...channels]);
    const isPart = isPartOf(said.interactionId ?? "");
    return await follow(states, { isReply, isPart }, terminal, { write, page: `${base}/?${view}` });
  } finally {
    await states.return();
  }
}

type Wish = {
  base: string;
  as: string | undefined;
  server: string | undefined;
  channel: string | undefined;
  message: string;
};

function readWish(args: string[]): Wish | { instead: Instead } {
  const text = { type: "string" } as const;
  const read = readArguments(
    args,
    USAGE,
    { port: text, url: text, as: text, server: text, channel: text },
    { words: true },
  );
  if ("instead" in read) return read;
  const { port, url, as, server, channel } = read.values;
  const not = (sentence: string) => ({ instead: mistake(sentence, USAGE) });
  if (port !== undefined && url !== undefined) return not("Give --port or --url, not both.");
  if (port !== undefined && readPort(port) === null) return not(notAPort(port));
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    return not(`--url must be an address such as http://127.0.0.1:${DEFAULT_PORT}, not "${url}".`);
  const message = read.positionals.join(" ").trim();
  if (message === "") return not("The message is missing. Write it in quotes.");
  const base = (url ?? `http://127.0.0.1:${port ?? DEFAULT_PORT}`).replace(/\/+$/, "");
  return { base, as, server, channel, message };
}

/** Prints the answer as it grows, and returns the exit code. `write` formats a text for the terminal; `page` is where a person can click. */
async function follow(
  states: AsyncGenerator<Message[], void>,
  { isReply, isPart }: { isReply: (message: Message) => boolean; isPart: (reply: Message, other: Message) => boolean },
  terminal: Terminal,
  { write, page }: { write: (text: string) => string; page: string },
): Promise<number> {
  let printed = "";
  let status = "";
  let isAsking = false;
  let begun = false;
  for await (const messages of states) {
    const at = messages.findIndex(isReply);
    const reply = messages[at];
    if (!reply && begun) return complain(terminal, "\nThe answer was deleted.");
    if (!reply) continue;
    begun = true;
    const parts = [reply, ...messages.slice(at + 1).filter((message) => isPart(reply, message))];
    const text = parts.map((part) => part.content).join("\n");
    const ended = parts.every(isEnded);
    const steady = (
      ended ? text : text.replace(STATUS_LINES, "").replace(CLOSING_FENCE, "").replace(UNFINISHED, "")
    ).trimEnd();
    const update = nextPrint(printed, write(steady));
    terminal.out(update.print);
    printed = update.printed;
    const small = ended ? "" : (STATUS_LINES.exec(text)?.[1] ?? "");
    if (small !== "" && small !== status) terminal.aside(`${printed === "" ? "" : "\n"}${write(small)}\n`);
    status = small;
    const asks = parts.some((part) => hasButton(part, "Approve"));
    if (asks && !isAsking) terminal.aside(`· Approve and Deny are on the page: ${page}\n`);
    isAsking = asks;
    if (!ended) continue;
    terminal.out("\n");
    if (reply.failed !== undefined) return complain(terminal, reply.failed);
    return reply.ephemeral || ERROR_LINE.test(text) ? 1 : 0;
  }
  return complain(terminal, "\nThe connection to the playground was lost before the answer ended.");
}

/**
 * Whether this is a later message of the same answer. It does not answer an interaction itself. If it was sent with the interaction's token, it
 * replies to the first message; with the bot's, its nonce names the turn, whose id is the interaction's; a persona has a different author.
 */
const isPartOf =
  (turnId: string) =>
  (reply: Message, { author, interaction, repliesTo, nonce }: Message): boolean =>
    author.bot &&
    !interaction &&
    (repliesTo ? repliesTo.id === reply.id : author.id !== reply.author.id || (nonce ?? "").startsWith(`${turnId}-`));

const isEnded = (message: Message): boolean =>
  !message.loading && !hasButton(message, "Stop") && !WAITING.test(message.content);

const hasButton = ({ components }: Message, label: string): boolean =>
  components.some((row) => row.components?.some((button) => button.label === label));

async function* snapshots(body: ReadableStream<Uint8Array> | null | undefined): AsyncGenerator<Message[], void> {
  if (!body) return;
  let rest = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events)
        if (event.startsWith("data: ")) yield JSON.parse(event.slice("data: ".length)).messages;
    }
  } catch {
    // A broken stream ends the states just like one that closes; the caller knows that it has not seen the end of the answer.
  }
}

async function json<Shape>({ fetch }: Terminal, url: string, body?: object): Promise<Shape | undefined> {
  try {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
    return (await response.json()) as Shape;
  } catch {
    return undefined;
  }
}

const named = (list: readonly Named[], wanted: string | undefined) =>
  wanted === undefined
    ? list[0]
    : list.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.replace(/^[#@]/, "").toLowerCase());

const list = (some: readonly Named[]) => some.map(({ name }) => name).join(", ");

function complain({ aside }: Terminal, sentence: string, code = 1): number {
  aside(`${sentence}\n`);
  return code;
}

if (import.meta.main) {
  endUnread();
  process.exitCode = await chat(process.argv.slice(2), {
    fetch,
    out: (text) => process.stdout.write(text),
    aside: (text) => process.stderr.write(text),
  });
}
