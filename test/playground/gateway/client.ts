// A client of the local Gateway that does only what a test says, over a socket that consists of two function calls.
import { APPLICATION, type LocalDiscord } from "../../../src/playground/discord/local-discord.ts";
import { INTENTS } from "../../../src/playground/gateway/protocol.ts";

/** A received frame. */
export interface Frame {
  op: number;
  d?: unknown;
  s?: number | null;
  t?: string;
}

/** One socket, from the application's side. */
export interface Client {
  /** Every frame so far, oldest first. */
  frames: Frame[];
  /** How the Gateway ended the socket; null while it is open. */
  end: number | "dropped" | null;
  send(op: number, d?: unknown): void;
  sendText(text: string | ArrayBuffer): void;
  /** Closes with a code; 1006 is a lost socket. */
  leave(code: number): void;
  /** Forgets the frames so far, and returns them. */
  take(): Frame[];
  /** The events so far, by name. */
  names(): string[];
  /** The last event with this name. */
  last(t: string): Record<string, unknown>;
}

/** Everything that an ordinary application may request. */
export const ORDINARY =
  INTENTS.guilds |
  INTENTS.guildMessages |
  INTENTS.guildReactions |
  INTENTS.guildTyping |
  INTENTS.directMessages |
  INTENTS.directReactions |
  INTENTS.directTyping;

export const QUERY = "/?v=10&encoding=json";

/** Opens a socket. */
export function open({ gateway }: LocalDiscord, url = gateway.url + QUERY): Client {
  const client: Client = {
    frames: [],
    end: null,
    send: (op, d) => socket.receive(JSON.stringify({ op, d })),
    sendText: (text) => socket.receive(text),
    leave: (code) => socket.closed(code),
    take: () => client.frames.splice(0),
    names: () => client.frames.flatMap(({ t }) => t ?? []),
    last: (t) => client.frames.findLast((frame) => frame.t === t)?.d as Record<string, unknown>,
  };
  const line = {
    send: (text: string) => void client.frames.push(JSON.parse(text)),
    close: (code: number) => {
      client.end = code;
    },
    drop: () => {
      client.end = "dropped";
    },
  };
  const socket = gateway.open(line, url);
  return client;
}

export const identity = (given: object = {}): object => ({
  token: APPLICATION.botToken,
  properties: { os: "linux", browser: "test", device: "test" },
  intents: ORDINARY,
  ...given,
});

/** Opens a socket and identifies. The frames so far are forgotten unless `keep` is true. */
export function login(discord: LocalDiscord, given: object = {}): Client & { session: string } {
  const client = open(discord);
  client.send(2, identity(given));
  const { session_id } = client.last("READY") ?? {};
  return Object.assign(client, { session: String(session_id) });
}

/** Opens a socket on the URL for resuming, and resumes. */
export function resume(discord: LocalDiscord, session_id: string, seq: number): Client {
  const client = open(discord, `${discord.gateway.url}/resume${QUERY}`);
  client.take();
  client.send(6, { token: APPLICATION.botToken, session_id, seq });
  return client;
}
