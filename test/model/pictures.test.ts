// How many pictures of a model's answer are kept.
import { expect, it } from "vitest";
import { createPictures } from "../../src/model/pictures.ts";

const took = (urls: readonly string[]) => {
  const pictures = createPictures();
  for (const url of urls) pictures.take(url);
  return [pictures.files().length, pictures.addresses().length, pictures.isAnyMissing()];
};
const numbers = (count: number) => Array.from({ length: count }, (_, index) => 100_000 + index);
const asData = (count: number) => numbers(count).map((number) => `data:image/png;base64,${btoa(String(number))}`);
const asAddress = (count: number) => numbers(count).map((number) => `https://a.example/${number}.png`);
const addressOf = (chars: number) => `https://a.example/${"x".repeat(chars - 18)}`;

it.each([
  ["27 as data, each of them twice", [...asData(27), ...asData(27)], [27, 0, false]],
  ["20,000 as data", asData(20_000), [27, 0, true]],
  ["27 addresses, each of them twice", [...asAddress(27), ...asAddress(27)], [0, 27, false]],
  ["20,000 addresses", asAddress(20_000), [0, 27, true]],
  ["an address that fits a message", [addressOf(2000)], [0, 1, false]],
  ["an address that fits no message", [addressOf(2001)], [0, 0, true]],
])("of %s, as many are kept as are named, and the others are reported missing", (_what, urls, kept) => {
  expect(took(urls)).toEqual(kept);
});
