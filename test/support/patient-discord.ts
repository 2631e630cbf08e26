// A Discord that accepts every request, for harnesses in which its side does not matter.
import {
  type DiscordRest,
  type Endpoint,
  isByBot,
  type MessageBody,
  ORIGINAL,
  type RestResult,
} from "../../src/discord/rest/rest.ts";

/** Accepts every request. A life that has ended gets no answer. */
export function patientDiscord(shown: Map<string, string>, isAlive: () => boolean): DiscordRest {
  let made = 0;
  const take = async (token: string, id: string, body: MessageBody | null): Promise<RestResult> => {
    if (!isAlive()) return new Promise(() => {});
    if (body?.content !== undefined) shown.set(token, body.content);
    return { ok: true, status: 200, message: { id, content: shown.get(token) ?? "", ephemeral: false } };
  };
  const of = (route: Endpoint) => ("token" in route ? route.token : isByBot(route) ? route.channelId : route.username);
  const keyOf = (route: Endpoint, id: string) => (id === ORIGINAL ? of(route) : `${of(route)}+${id}`);
  return {
    create: (route, body) => take(keyOf(route, `${++made}`), `followup-${made}`, body),
    edit: (route, id, body) => take(keyOf(route, id), id === ORIGINAL ? `original-${of(route)}` : id, body),
    async remove(route, id) {
      const removed = await take(keyOf(route, id), id, null);
      shown.delete(keyOf(route, id));
      return removed;
    },
    read: (route, id) => take(keyOf(route, id), id, null),
  };
}
