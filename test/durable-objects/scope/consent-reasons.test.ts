// Why a consent failed: shows the code that the authorization server gives, and nothing else that it says.
import { afterEach, beforeEach, expect, it } from "vitest";
import { connecting } from "./connections-arrange.ts";

let world: Awaited<ReturnType<typeof connecting>>;
beforeEach(async () => {
  world = await connecting();
});
afterEach(() => world.close());

const refusing = (path: string, answer: Response) => {
  const fetched = world.provider.fetch;
  world.provider.fetch = (request) =>
    new URL(request.url).pathname === path ? Promise.resolve(answer.clone()) : fetched(request);
};
const refusal = (error: unknown, status = 400) => Response.json({ error, error_description: "call 555" }, { status });

it("the reason is shown if this program is not registered", async () => {
  refusing("/register", refusal("invalid_redirect_uri"));
  const { text } = await world.open(await world.begin());
  expect(text).toContain("did not register this program (invalid_redirect_uri). Try again");
});

it.each([
  ["refused with 400 (invalid_client).", refusal("invalid_client")],
  ["returned no usable token (bad_verification_code).", refusal("bad_verification_code", 200)],
  ["refused with 400.", refusal("Please call 555-0100 at once")],
  ["refused with 400.", refusal({ code: 1 })],
  ["refused with 400.", refusal("x".repeat(41))],
])("the reason is shown if a code is not accepted: %s", async (words, answer) => {
  refusing("/token", answer);
  const { text } = await world.open(await world.agree(await world.begin()));
  expect(text).toContain(`the authorization server ${words}`);
  expect(text).not.toContain("555");
});

it.each([
  ["gave no permission (invalid_scope).", "invalid_scope", {}],
  ["gave no permission.", "<b>555</b>", {}],
  ["the answer did not come from the server that was asked.", "invalid_scope", { iss: "https://evil.example" }],
])("the reason is shown if the browser returns without a code: %s", async (words, error, more) => {
  const back = await world.agree(await world.begin());
  back.searchParams.delete("code");
  for (const [name, value] of Object.entries({ error, error_description: "call 555", ...more }))
    back.searchParams.set(name, value);
  const { text } = await world.open(back);
  expect(text).toContain(words);
  expect(text).not.toMatch(/555|evil/);
});
