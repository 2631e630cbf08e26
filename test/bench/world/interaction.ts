// `/chat` as Discord sends it, built and signed beforehand, so that only its delivery is measured.
import { signedRequest } from "../../../src/playground/discord/sign.ts";
import { now } from "./clock.ts";

/** The application in `.dev.vars.example`. */
const APPLICATION_ID = "1300000000000000001";
const GUILD = "1180000000000000001";
const FIRST_CHANNEL = 1_180_000_000_000_100_000n;
const FIRST_PERSON = 1_180_000_000_000_900_000n;
const MEMBER = "563261338668096";
/** Discord's ids begin here; the lowest 22 bits are not time. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;
const NOT_TIME = 22n;

let sent = 0n;

/** Who says what, and where. Numbers, so that each measurement uses its own. */
export interface Said {
  channel: number;
  person: number;
  message: string;
}

/** An interaction that is ready to be sent. */
export interface Ready {
  /** The token, by which the answer's requests are found. */
  token: string;
  /** Sends it. Resolves to the milliseconds until its answer arrived; rejects if that is not "thinking". */
  send(): Promise<number>;
}

/** Builds and signs one for this endpoint. */
export async function chat(url: string, { channel, person, message }: Said): Promise<Ready> {
  sent += 1n;
  const id = String((BigInt(Date.now() - DISCORD_EPOCH_MS) << NOT_TIME) + (sent & 0x3fffffn));
  const token = `bench-${channel}-${sent}`;
  const place = { id: String(FIRST_CHANNEL + BigInt(channel)), type: 0, name: "bench", guild_id: GUILD };
  const user = { id: String(FIRST_PERSON + BigInt(person)), username: `p${person}`, global_name: `P${person}` };
  const about = { version: 1, application_id: APPLICATION_ID, type: 2, context: 0, locale: "en-GB", entitlements: [] };
  const body = JSON.stringify({
    ...about,
    ...{ id, token, guild_id: GUILD, guild: { id: GUILD, locale: "en-US", features: [] }, guild_locale: "en-US" },
    data: { id: GUILD, name: "chat", type: 1, options: [{ name: "message", type: 3, value: message }] },
    member: { user: { ...user, discriminator: "0", avatar: null }, roles: [], permissions: MEMBER, flags: 0 },
    channel: { ...place, permissions: MEMBER, flags: 0 },
    channel_id: place.id,
    app_permissions: "563261875539008",
    authorizing_integration_owners: { 0: GUILD },
    attachment_size_limit: 10_485_760,
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const request = await signedRequest(body, { timestamp, url: `${url}/interactions` });
  const { headers } = request;
  return {
    token,
    async send() {
      const sentAt = now();
      const response = await fetch(`${url}/interactions`, { method: "POST", headers, body });
      const text = await response.text();
      const took = now() - sentAt;
      if (!/"type":\s*5/.test(text)) throw new Error(`answered ${response.status} ${text.slice(0, 300)}`);
      return took;
    },
  };
}
