// A model's address that redirects to another one, which no request follows because it would carry the key there.
import { expect, it } from "vitest";
import { tryModel } from "../../src/setup/model-key.ts";

const moved = (to: string) => async () => new Response(null, { status: 308, headers: { location: to } });
const meant = async (baseUrl: string, to: string) => tryModel(moved(to), { key: "sk-1", baseUrl, model: "m" });

it.each([
  [
    "http for https",
    "http://model.example/v1",
    "https://model.example/v1/chat/completions",
    "https://model.example/v1",
  ],
  ["a path alone", "https://model.example", "/v1/chat/completions", "https://model.example/v1"],
  ["with a query", "http://m.example/v1?v=1", "https://m.example/v1/chat/completions?v=1", "https://m.example/v1?v=1"],
])("names the address that was meant: %s", async (_, baseUrl, to, better) => {
  expect(await meant(baseUrl, to)).toEqual({ kind: "wrong_address", better });
});

it.each([
  ["a page to sign in at", "https://model.example/login?next=%2Fv1%2Fchat%2Fcompletions"],
  ["another host, which the key is not for", "https://new.example/v1/chat/completions"],
  ["something that is not an address", "https://"],
  ["another kind of address", "ftp://model.example/v1/chat/completions"],
  ["itself", "https://model.example/v1/chat/completions"],
])("suggests none if it leads to %s", async (_, to) => {
  expect(await meant("https://model.example/v1", to)).toEqual({ kind: "wrong_address", better: null });
});
