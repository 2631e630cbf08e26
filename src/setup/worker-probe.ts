// A look at the deployed Worker from outside: what /health says, and how its endpoint answers a wrong signature, as Discord asks it.
import { createHash } from "node:crypto";
import { parseJson, readFields } from "../model/json-fields.ts";
import { failure } from "./copy/setup.ts";
import { programAt } from "./plan.ts";
import type { SetupPorts } from "./ports.ts";

/** What `/health` says. `silent`: nothing answers there, or not as Parley does. */
export type Health =
  | {
      kind: "well";
      applicationId: string;
      fingerprint: string;
      configured: readonly string[];
      /** In the words of `/health`; `off` where mentions are not heard. */
      gateway: string;
      /** Only with INSPECT_TOKEN. */
      warnings: readonly string[] | null;
    }
  | { kind: "problems"; problems: readonly string[] }
  | { kind: "silent"; status: number | null; text: string };

/** How the endpoint answers a request with a wrong signature. */
export type EndpointAnswer = { status: number | null; ms: number };

type Ports = Pick<SetupPorts, "send" | "clock">;

/** What Cloudflare answers, or throws, where the free plan ends, or the account's own limit of spending (1103, its page on spending limits); each names what is used up. */
const FREE_PLAN =
  /error(?: code)?:? (?:1027|1103)|Exceeded allowed [\w ]+ in Durable Objects free tier|Too many subrequests/i;

const LIMIT_MS = 10_000;
const MOST_TEXT = 300;

/** Reads `/health`. `bearer`: INSPECT_TOKEN, for the warnings; one that no header can have is none. May run twice; never rejects. */
export async function readHealth({ send }: Ports, url: string, bearer?: string): Promise<Health> {
  const headers: Record<string, string> = bearer && !/[^ -~]/.test(bearer) ? { Authorization: `Bearer ${bearer}` } : {};
  const response = await send(`${url}/health`, { headers, signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => null);
  if (response === null) return { kind: "silent", status: null, text: "" };
  const text = await response.text().catch(() => "");
  const body = readFields(parseJson(text)) ?? {};
  if (Array.isArray(body.problems)) return { kind: "problems", problems: body.problems.map(String) };
  if (body.ok !== true || typeof body.applicationId !== "string")
    return { kind: "silent", status: response.status, text: text.slice(0, MOST_TEXT) };
  return {
    kind: "well",
    applicationId: body.applicationId,
    fingerprint: String(body.publicKeyFingerprint),
    configured: Array.isArray(body.configured) ? body.configured.map(String) : [],
    gateway: typeof body.gateway === "string" ? body.gateway : "off",
    warnings: Array.isArray(body.warnings) ? body.warnings.map(String) : null,
  };
}

/** What of the free plan or of the account's money is used up, if an answer in the Worker's place says so, or what the Worker heard of its objects. */
export function findFreePlanEnd(health: Health): string | null {
  const said = health.kind === "silent" ? health.text : health.kind === "well" ? health.gateway : "";
  return FREE_PLAN.exec(said)?.[0] ?? null;
}

/** What `/health` shows of a public key, which is given in hexadecimal digits. */
export const fingerprintOf = (publicKey: string): string =>
  createHash("sha256").update(publicKey.toLowerCase()).digest("hex").slice(0, 8);

/** Asks the endpoint as Discord does when it tests for wrong signatures. Nothing starts by that. */
export async function askEndpoint({ send, clock }: Ports, endpointUrl: string): Promise<EndpointAnswer> {
  const begun = clock.now();
  const headers = {
    "Content-Type": "application/json",
    "X-Signature-Ed25519": "0".repeat(128),
    "X-Signature-Timestamp": String(Math.floor(begun / 1000)),
  };
  const init = { method: "POST", headers, body: '{"type":1}', signal: AbortSignal.timeout(LIMIT_MS) };
  const response = await send(endpointUrl, init).catch(() => null);
  // Nothing waits for the rest of it.
  void response?.body?.cancel().catch(() => {});
  return { status: response?.status ?? null, ms: clock.now() - begun };
}

/** Why Discord may not have been able to verify the endpoint, as far as it can be seen from here. */
export async function describeEndpoint(ports: Ports, endpointUrl: string): Promise<string> {
  const { status } = await askEndpoint(ports, endpointUrl);
  const url = programAt(endpointUrl);
  if (status === null) return failure.healthSilent(url);
  if (status === 401) return failure.endpointWell;
  if (status === 404) return failure.endpointMissing;
  const health = await readHealth(ports, url);
  return health.kind === "problems" ? failure.healthProblems(health.problems) : failure.endpointStatus(status);
}
