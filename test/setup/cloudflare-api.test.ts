// What setup and doctor make of Cloudflare's answers, including those that aren't really answers.
import { expect, it } from "vitest";
import { createCloudflareApi } from "../../src/setup/cloudflare-api.ts";

/** The account at a Cloudflare that always gives this answer. */
const accountAt = (answer: () => Promise<Response>) =>
  createCloudflareApi(answer, "https://cloudflare.test", "token", "acc1");

it.each([
  ["a page of its network", () => new Response("<html>Log in</html>"), "a web page came instead"],
  ["a proxy's page", () => new Response("<html>", { status: 502 }), "status 502"],
  ["a page that blocks this machine", () => new Response("<html>", { status: 403 }), "status 403"],
  ["no list of errors", () => Response.json({ success: false, errors: null }, { status: 500 }), "status 500"],
  ["errors of another form", () => Response.json({ success: false, errors: {} }, { status: 400 }), "status 400"],
  ["an error that is null", () => Response.json({ success: false, errors: [null] }, { status: 429 }), "status 429"],
] as const)("treats %s as no answer", async (_, answer, text) => {
  const failure = { ok: false, kind: text.startsWith("status") ? "refused" : "lost", code: null, text };
  const account = accountAt(async () => answer());
  expect([await account.readWorker("parley"), await account.readSubdomain()]).toEqual([failure, failure]);
  expect(await account.makeSubdomain("juno")).toEqual(failure);
});

it("says why it can't be reached", async () => {
  const lost = new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND api.cloudflare.com") });
  const reply = await accountAt(() => Promise.reject(lost)).readSubdomain();
  expect(reply).toEqual({ ok: false, kind: "lost", code: null, text: "getaddrinfo ENOTFOUND api.cloudflare.com" });
});

it("treats a Worker without bindings as another program's", async () => {
  const reply = await accountAt(async () => Response.json({ success: true, result: { bindings: null } })).readWorker(
    "x",
  );
  expect(reply).toEqual({ ok: true, worker: { names: [], hasAi: false } });
});

it.each([
  [403, 10000, "login"],
  [400, 6003, "login"],
  [401, 7000, "login"],
  [400, 7003, "refused"],
  [403, 5035, "refused"],
  [429, 971, "refused"],
])("reads %i with the code %i as a fault of kind %3$s", async (status, code, kind) => {
  const errors = [{ code, message: "no" }];
  const reply = await accountAt(async () => Response.json({ success: false, errors }, { status })).readSubdomain();
  expect(reply).toEqual({ ok: false, kind, code, text: "no" });
});
