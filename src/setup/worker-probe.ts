// Looks at the deployed Worker from outside: what /health says, and how its endpoint answers a wrong signature, which Discord also tests.
import { createHash } from "node:crypto";
import { parseJson, readFields } from "../model/json-fields.ts";
import { failure } from "./copy/setup.ts";
import { programAt } from "./plan.ts";
import type { SetupPorts } from "./ports.ts";

/** What `/health` says. `silent`: nothing answers there, or something other than Parley does. */
export type Health =
  | {
      kind: "well";
      applicationId: string;
      fingerprint: string;
      configured: readonly string[];
      /** In the words of `/health`; `off` if the bot does not listen for mentions. */
      gateway: string;
      /** Only with INSPECT_TOKEN. */
      warnings: readonly string[] | null;
    }
  | { kind: "problems"; problems: readonly string[] }
  | { kind: "silent"; status: number | null; text: string };

/** How the endpoint answers a request with a wrong signature. */
export type EndpointAnswer = { status: number | null; ms: number };

type Ports = Pick<SetupPorts, "send" | "clock">;

/**
 * What Cloudflare answers or throws when an allowance of the free plan, or the account's own spending limit (1103, from Cloudflare's page
 * about spending limits), is used up. Each text names what is used up.
 */
const FREE_PLAN =
  /error(?: code)?:? (?:1027|1103)|Exceeded allowed [\w ]+ in Durable Objects free tier|Too many subrequests/i;

const LIMIT_MS = 10_000;
const MOST_TEXT = 300;

/** Reads `/health`. `bearer`: INSPECT_TOKEN, for the warnings; ignored if a header can't contain it. May run twice; never rejects. */
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

/**
 * Returns which part of the free plan or of the account's spending limit is used up, if Cloudflare's answer instead of the Worker's says so,
 * or if the Worker got such an error from its objects.
 */
export function findFreePlanEnd(health: Health): string | null {
  const said = health.kind === "silent" ? health.text : health.kind === "well" ? health.gateway : "";
  return FREE_PLAN.exec(said)?.[0] ?? null;
}

/** Returns the fingerprint that `/health` shows for a public key in hexadecimal digits. */
export const fingerprintOf = (publicKey: string): string =>
  createHash("sha256").update(publicKey.toLowerCase()).digest("hex").slice(0, 8);

/** Sends the endpoint a wrong signature, as Discord does in its test. This starts nothing in the Worker. */
export async function askEndpoint({ send, clock }: Ports, endpointUrl: string): Promise<EndpointAnswer> {
  const begun = clock.now();
  const headers = {
    "Content-Type": "application/json",
    "X-Signature-Ed25519": "0".repeat(128),
    "X-Signature-Timestamp": String(Math.floor(begun / 1000)),
  };
  const init = { method: "POST", headers, body: '{"type":1}', signal: AbortSignal.timeout(LIMIT_MS) };
  const response = await send(endpointUrl, init).catch(() => null);
  // The body is not needed.
  void response?.body?.cancel().catch(() => {});
  return { status: response?.status ?? null, ms: clock.now() - begun };
}

/** Explains why Discord may have failed to verify the endpoint, as far as that can be seen from here. */
export async function describeEndpoint(ports: Ports, endpointUrl: string): Promise<string> {
  const { status } = await askEndpoint(ports, endpointUrl);
  const url = programAt(endpointUrl);
  if (status === null) return failure.healthSilent(url);
  if (status === 401) return failure.endpointWell;
  if (status === 404) return failure.endpointMissing;
  const health = await readHealth(ports, url);
  return health.kind === "problems" ? failure.healthProblems(health.problems) : failure.endpointStatus(status);
}
