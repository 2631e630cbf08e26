// The limits in Discord's answers.
import { describe, expect, it } from "vitest";
import { readBucket, readLimit } from "../../../src/discord/rest/rate-limits.ts";

describe("a bucket", () => {
  const told = { "X-RateLimit-Bucket": "b", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.5" };

  it("is read from all of its headers", () => {
    expect(readBucket(new Headers(told))).toEqual({ bucket: "b", remaining: 0, resetAfterMs: 1500 });
  });

  it.each(Object.keys(told))("is missing without %s", (name) => {
    const headers = new Headers(told);
    headers.delete(name);
    expect(readBucket(headers)).toBeNull();
  });
});

describe("a refusal for too many requests", () => {
  it.each([
    ["user", "user"],
    ["shared", "shared"],
    ["global", "global"],
    ["of another kind", "user"],
  ])("that Discord calls %s has the scope %s", (scope, read) => {
    expect(readLimit(new Headers({ "X-RateLimit-Scope": scope }), { retry_after: 1 })).toEqual({
      scope: read,
      retryAfterMs: 1000,
    });
  });

  it.each([
    [{}, {}, null],
    [{ "Retry-After": "2" }, {}, 2000],
    [{ "Retry-After": "2" }, { retry_after: 1.2345 }, 1235],
    [{}, { retry_after: 0 }, 0],
    [{}, { retry_after: -1 }, null],
    [{}, { retry_after: "soon" }, null],
    [{}, { retry_after: 3600 }, 3_600_000],
    [{}, { retry_after: 3601 }, 3_600_000],
  ])("with the headers %j and the body %j asks to wait for %j ms", (headers, body, ms) => {
    expect(readLimit(new Headers(headers), body).retryAfterMs).toBe(ms);
  });
});
