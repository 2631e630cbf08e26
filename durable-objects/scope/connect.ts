// Connects a remote server, step by step: a link, a consent in the browser, a code on the page, and the same code typed in Discord. The browser
// doesn't know the Discord person, and a link can be forwarded: so the token is kept only when the person who began types the code.
import { CONNECT_LIFE_MS, type ConnectionAnswer, type ConnectionFault } from "../../src/core/access/connection-rpc.ts";
import { guildOf } from "../../src/core/access/scope-copy.ts";
import { writeState } from "../../src/discord/answers/connection-state.ts";
import { readChallenge } from "../../src/mcp/oauth/challenge.ts";
import { clientAt } from "../../src/mcp/oauth/client.ts";
import { discover } from "../../src/mcp/oauth/discovery.ts";
import {
  authorization,
  type Consent,
  exchange,
  faultOfKept,
  type Grant,
  readReturn,
  scopeFor,
} from "../../src/mcp/oauth/grant.ts";
import type { ConnectionPorts } from "./connection-ports.ts";
import type { Attempt } from "./connection-store.ts";
import { openGrant, sealGrant } from "./tokens.ts";

/** The most attempts that are kept at a time. More would only be a flood. */
const MAX_ATTEMPTS = 20;
const MAX_WRONG_CODES = 5;
/** Leaves out letters and digits that look alike. */
const CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const CODE_CHARS = 8;

const OPEN = "this server works without signing in";

const refused = (fault: ConnectionFault, detail?: string): ConnectionAnswer => ({
  op: "refused",
  fault,
  ...(detail !== undefined && { detail }),
});

/** Notes the attempt and answers at once, without asking the server anything yet. */
export async function beginConnection(
  ports: ConnectionPorts,
  wish: { serverId: string; userId: string; origin: string },
): Promise<ConnectionAnswer> {
  if (ports.seal === null) return refused("no_key");
  const server = ports.servers.find(({ id }) => id === wish.serverId);
  if (!server) return refused("no_server");
  if (server.isFixed) return refused("fixed");
  const nonce = ports.nonce();
  const state = await ports.writeState(nonce);
  const attempt: Attempt = { nonce, ...wish, url: server.url, at: ports.clock(), away: null, waiting: null, wrong: 0 };
  const others = liveAttempts(ports).filter((one) => one.userId !== wish.userId || one.serverId !== wish.serverId);
  ports.connections.putAttempts([...others, attempt].slice(-MAX_ATTEMPTS));
  return { op: "begun", state };
}

/** Finds out who issues tokens for the server, and where to send the browser. */
export async function startConsent(ports: ConnectionPorts, nonce: string): Promise<ConnectionAnswer> {
  const { seal } = ports;
  const attempt = liveAttempts(ports).find((one) => one.nonce === nonce);
  const server = ports.servers.find(({ id }) => id === attempt?.serverId);
  if (!attempt || !server || seal === null) return refused("stale");
  try {
    const header = await ports.askForChallenge(server);
    const challenge = readChallenge(header ?? null);
    const found = await discover(server.url, challenge, ports.ask);
    if (!found.ok) return refused("provider", found.error);
    const redirectUri = `${attempt.origin}/oauth/callback`;
    const metadataUrl = attempt.origin.startsWith("https:") ? `${attempt.origin}/oauth/client.json` : null;
    const before = await openGrant(ports, server.id);
    const lacked = ports.connections.connection(server.id)?.lacked ?? null;
    const asked = [before?.scope, lacked].filter((scope) => scope != null).join(" ") || null;
    const rights = { wanted: challenge.scope, asked };
    const scope = scopeFor(found.value, rights);
    const facts = { redirectUri, metadataUrl, registered: server.registered, scope };
    // Some servers forget their clients, and say so only on their page (supabase/mcp#355): so a registration is reused only while its token is valid.
    const known = before?.expiresAt != null && before.expiresAt > ports.clock() ? before.client : null;
    const client = await clientAt(found.value.issuer, facts, known, ports.ask);
    // A server that names no issuer of tokens may simply be open, which is not a fault.
    if (!client.ok) return refused("provider", header === undefined ? OPEN : client.error);
    const unreachable = ports.whyNot(found.value.issuer.authorization_endpoint);
    if (unreachable !== null) return refused("provider", unreachable);
    const back = ports.nonce();
    const state = await ports.writeState(back);
    const pkce = await ports.pkce();
    const { url, consent } = authorization(found.value, { client: client.value, redirectUri, pkce, state, ...rights });
    const tooMuch = faultOfKept(consent);
    if (tooMuch !== null) return refused("provider", tooMuch);
    const sealed = await seal.close(JSON.stringify(consent), `away ${ports.name} ${back}`);
    if (!changeAttempt(ports, nonce, { away: { nonce: back, sealed } })) return refused("stale");
    return { op: "go", url };
  } catch (error) {
    return refused("provider", ports.describe(error));
  }
}

/** Receives the browser after the consent, gets the tokens, and makes the code for the page. A state can be used once, whatever the outcome. */
export async function returnFromConsent(
  ports: ConnectionPorts,
  nonce: string,
  query: string,
): Promise<ConnectionAnswer> {
  const { seal } = ports;
  const attempt = liveAttempts(ports).find((one) => one.away?.nonce === nonce);
  if (!attempt?.away || seal === null) return refused("stale");
  const { sealed } = attempt.away;
  changeAttempt(ports, attempt.nonce, { away: null });
  const opened = await seal.open(sealed, `away ${ports.name} ${nonce}`);
  if (opened === null) return refused("stale");
  const consent = JSON.parse(opened) as Consent;
  const code = readReturn(consent, new URLSearchParams(query));
  if (!code.ok) return refused("provider", code.error);
  try {
    const obtained = await exchange(consent, code.value, ports.clock(), ports.ask);
    if (!obtained.ok) return refused("provider", obtained.error);
    const words = ports.letters(CODE_LETTERS, CODE_CHARS);
    const waiting = await seal.close(
      JSON.stringify({ code: words, grant: obtained.value } satisfies Waiting),
      `waiting ${ports.name} ${attempt.nonce}`,
    );
    if (!changeAttempt(ports, attempt.nonce, { waiting, wrong: 0 })) return refused("stale");
    return { op: "code", serverId: attempt.serverId, code: words };
  } catch (error) {
    return refused("provider", ports.describe(error));
  }
}

interface Waiting {
  code: string;
  grant: Grant;
}

/** Keeps the token if this person is waiting for this code. Five wrong codes end all of the person's attempts. */
export async function confirmConnection(
  ports: ConnectionPorts,
  userId: string,
  typed: string,
): Promise<ConnectionAnswer> {
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  for (const attempt of liveAttempts(ports).filter((one) => one.userId === userId)) {
    const { waiting } = attempt;
    const opened = waiting === null ? null : await ports.seal?.open(waiting, `waiting ${ports.name} ${attempt.nonce}`);
    if (opened == null) continue;
    const { code: expected, grant } = JSON.parse(opened) as Waiting;
    const server = ports.servers.find(({ id }) => id === attempt.serverId);
    if (expected !== code || !server) continue;
    const sealed = await sealGrant(ports, server.id, grant);
    // The code may have been typed twice at the same time. The attempt is taken only once.
    const attempts = ports.connections.attempts();
    const left = attempts.filter(({ nonce }) => nonce !== attempt.nonce);
    if (sealed === null || left.length === attempts.length) return refused("wrong_code");
    ports.connections.putAttempts(left);
    const now = ports.clock();
    const { id: serverId, url } = server;
    ports.connections.putConnection({ serverId, url, sealed, at: now, renewedAt: null, lacked: null });
    ports.log.info("a remote server was connected", { server: serverId });
    return { op: "connected", serverId };
  }
  const wronged = liveAttempts(ports).map((one) => (one.userId === userId ? { ...one, wrong: one.wrong + 1 } : one));
  ports.connections.putAttempts(wronged.filter(({ wrong }) => wrong < MAX_WRONG_CODES));
  return refused("wrong_code");
}

/** Deletes the attempts that are over, with the tokens that waited for their codes. */
export function expireAttempts(ports: ConnectionPorts): void {
  if (ports.connections.attempts().length > 0) ports.connections.putAttempts(liveAttempts(ports));
}

/** Deletes the tokens of servers that have been unusable for `keptMs`: no longer configured, or now at another address. */
export function expireConnections({ connections, servers }: ConnectionPorts, now: number, keptMs: number): void {
  for (const { unlistedAt, ...connection } of connections.all()) {
    const isListed = servers.some(({ id, url }) => id === connection.serverId && url === connection.url);
    if (isListed && unlistedAt !== undefined) connections.putConnection(connection);
    if (isListed) continue;
    if (unlistedAt === undefined) connections.putConnection({ ...connection, unlistedAt: now });
    else if (now >= unlistedAt + keptMs) connections.removeConnection(connection.serverId);
  }
}

/** Returns the attempts that aren't over. One ends with its time, or when its server goes, moves to another address or gets configured access. */
const liveAttempts = ({ connections, clock, servers }: ConnectionPorts): Attempt[] =>
  connections.attempts().filter(({ at, serverId, url }) => {
    const server = servers.find(({ id }) => id === serverId);
    return clock() < at + CONNECT_LIFE_MS && server?.isFixed === false && server.url === (url ?? server.url);
  });

/** Changes an attempt. False if it is over, or if another one has replaced it. */
function changeAttempt(ports: ConnectionPorts, nonce: string, change: Partial<Attempt>): boolean {
  const attempts = liveAttempts(ports);
  ports.connections.putAttempts(attempts.map((one) => (one.nonce === nonce ? { ...one, ...change } : one)));
  return attempts.some((one) => one.nonce === nonce);
}

/** Makes the function that writes the state of a link into this scope. */
export const stateWriter = (name: string, secret: string) => (nonce: string) =>
  writeState({ guildId: guildOf(name), nonce }, secret);
