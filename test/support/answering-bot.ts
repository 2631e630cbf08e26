// A bot at a local Discord's Gateway that answers each mention, reply and direct message at once, as the real one does:
// typing, then a reply without a ping. It stands in for the product in tests of the page.
import { WebSocket } from "ws";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";

/** A bot that has logged in. */
export interface AnsweringBot {
  leave(): void;
}

type Event = {
  op: number;
  t: string | null;
  d: {
    id: string;
    channel_id: string;
    guild_id?: string;
    content: string;
    author: { bot: boolean; username: string };
    mentions: { id: string }[];
  };
};

/** Guilds, messages of servers and direct messages. */
const INTENTS = 1 | (1 << 9) | (1 << 12);

/** Logs in at the playground of this address. A message with "hold" in it only gets the typing. */
export async function answeringBot(url: string): Promise<AnsweringBot> {
  const headers = {
    authorization: `Bot ${APPLICATION.botToken}`,
    "content-type": "application/json",
    "user-agent": "DiscordBot (https://example.org, 1.0)",
  };
  const rest = (path: string, body?: object) =>
    fetch(`${url}/api/v10${path}`, { method: "POST", headers, ...(body && { body: JSON.stringify(body) }) });
  const socket = new WebSocket(`${url.replace("http", "ws")}/gateway/?v=10&encoding=json`);
  const properties = { os: "linux", browser: "test", device: "test" };
  const identify = { op: 2, d: { token: APPLICATION.botToken, intents: INTENTS, properties } };
  const ready = Promise.withResolvers<void>();
  socket.on("error", ready.reject);
  socket.on("message", async (data) => {
    const { op, t, d } = JSON.parse(String(data)) as Event;
    if (op === 10) socket.send(JSON.stringify(identify));
    if (t === "READY") ready.resolve();
    if (t !== "MESSAGE_CREATE" || d.author.bot) return;
    if (d.guild_id !== undefined && !d.mentions.some(({ id }) => id === APPLICATION.id)) return;
    await rest(`/channels/${d.channel_id}/typing`);
    if (d.content.includes("hold")) return;
    await rest(`/channels/${d.channel_id}/messages`, {
      content: `Heard you, ${d.author.username}.`,
      message_reference: { message_id: d.id },
      allowed_mentions: { parse: [], replied_user: false },
    });
  });
  await ready.promise;
  return { leave: () => socket.close(1000) };
}
