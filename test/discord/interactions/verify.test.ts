// Whether a request comes from Discord: a signature, timestamp or key that is wrong in any way gives a plain false.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findSignatureFault,
  MAX_TIMESTAMP_SKEW_S,
  type SignedParts,
} from "../../../src/discord/interactions/verify.ts";
import { signedRequest } from "../../../src/playground/discord/sign.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../../src/playground/key.ts";

const NOW_S = 1_900_000_000;
const KEY = DEVELOPMENT_PUBLIC_KEY_HEX;
const BODY = '{"type":1}';

async function signed(timestamp = String(NOW_S), body = BODY): Promise<SignedParts> {
  const request = await signedRequest(body, { timestamp });
  return { signature: request.headers.get("x-signature-ed25519"), timestamp, body: new TextEncoder().encode(body) };
}

const faultOf = (parts: SignedParts, key: string = KEY, nowMs = NOW_S * 1000) => findSignatureFault(parts, key, nowMs);
const accepts = async (...how: Parameters<typeof faultOf>) => (await faultOf(...how)) === null;

describe("a signature", () => {
  it("by Discord's key over the timestamp and the body is accepted, with hex digits in upper or lower case", async () => {
    const good = await signed();
    expect(await accepts(good)).toBe(true);
    expect(await accepts({ ...good, signature: (good.signature ?? "").toUpperCase() })).toBe(true);
    expect(await accepts(good, KEY.toUpperCase())).toBe(true);
  });

  it("over an empty body, or over bytes that are not text, is checked like any other", async () => {
    expect(await accepts(await signed(String(NOW_S), ""))).toBe(true);
    const good = await signed();
    expect(await accepts({ ...good, body: new Uint8Array([0xff, 0xfe, 0x00]) })).toBe(false);
  });

  it.each([
    ["changed in one digit", (good: string) => good.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))],
    ["all zeros", () => "00".repeat(64)],
    ["one byte short", (good: string) => good.slice(2)],
    ["one digit short", (good: string) => good.slice(1)],
    ["one byte too long", (good: string) => `${good}00`],
    ["not all hex digits", (good: string) => `${good.slice(0, -1)}g`],
    ["preceded by a blank", (good: string) => ` ${good.slice(1)}`],
    ["written with a full-width digit", (good: string) => `${good.slice(0, -1)}\uff11`],
    ["empty", () => ""],
    ["missing", () => null],
  ])("that is %s is refused without an exception", async (_, bend) => {
    const good = await signed();
    expect(await accepts({ ...good, signature: bend(good.signature ?? "") })).toBe(false);
  });

  it("does not cover another timestamp or another body", async () => {
    const good = await signed();
    expect(await accepts({ ...good, timestamp: String(NOW_S + 1) })).toBe(false);
    expect(await accepts({ ...good, body: new TextEncoder().encode('{"type":2}') })).toBe(false);
  });

  it("still matches if a digit moves from the body into the timestamp, but then the time is wrong", async () => {
    const good = await signed(String(NOW_S), `1${BODY}`);
    const shifted = { ...good, timestamp: `${NOW_S}1`, body: new TextEncoder().encode(BODY) };
    expect(await accepts(shifted, KEY, Number(`${NOW_S}1`) * 1000)).toBe(true);
    expect(await accepts(shifted)).toBe(false);
  });
});

describe("a timestamp", () => {
  it.each([
    ["exactly 300 s old", "accepted", -MAX_TIMESTAMP_SKEW_S],
    ["exactly 300 s ahead", "accepted", MAX_TIMESTAMP_SKEW_S],
    ["301 s old", "refused", -301],
    ["301 s ahead", "refused", 301],
    ["a year old", "refused", -31_536_000],
  ])("%s is %s", async (_, verdict, skewS) => {
    expect(await accepts(await signed(String(NOW_S + skewS)))).toBe(verdict === "accepted");
  });

  it.each([null, "", " ", "now", "-1900000000", "1.9e9", "1900000000.0", "0x713fb300", "9".repeat(13)])(
    "that reads %j is refused, even if it is signed",
    async (timestamp) => {
      const good = await signed(timestamp ?? "");
      expect(await accepts({ ...good, timestamp })).toBe(false);
    },
  );
});

describe("a key", () => {
  it.each([
    ["someone else's", "11".repeat(32)],
    ["one byte short", KEY.slice(2)],
    ["one byte too long", `${KEY}00`],
    ["not hex", "z".repeat(64)],
    ["not a point of the curve", "ff".repeat(32)],
    ["empty", ""],
  ])("that is %s accepts nothing and throws nothing, however often it is used", async (_, key) => {
    const good = await signed();
    const faults = [await faultOf(good, key), await faultOf(good, key)];
    expect(faults.every((fault) => fault === "unusable_public_key" || fault === "other_key")).toBe(true);
  });
});

it("whatever the headers say, the answer is a boolean, and true only for the genuine request", async () => {
  const good = await signed();
  const header = fc.option(fc.oneof(fc.string(), fc.constant(good.signature), fc.constant(good.timestamp)), {
    nil: null,
  });
  await fc.assert(
    fc.asyncProperty(header, header, fc.uint8Array(), async (signature, timestamp, body) => {
      expect(await accepts({ signature, timestamp, body })).toBe(false);
    }),
    { numRuns: 1000 },
  );
});
