// Converting measures, and the module's way through the shipped list of tools.
import { expect, it } from "vitest";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { ToolRuntime } from "../../src/toolkit/run/runtime.ts";
import { run } from "../../src/tools/convert-units.ts";
import { tools } from "../../src/tools/index.ts";

it.each([
  [1, "mi", "km", 1.609344],
  [100, "cm", "inches", 39.370078740157],
  [180, "pounds", "kg", 81.6466266],
  [2, "cups", "ml", 473.176473],
  [-40, "°C", "fahrenheit", -40],
  [98.6, "F", "celsius", 37],
  [0, "k", "c", -273.15],
  [32, "F", "C", 0],
  [273.15, "K", "C", 0],
  [-459.67, "F", "K", 0],
  [212, "degrees Fahrenheit", "Celsius", 100],
  [1, "fl oz", "ml", 29.5735295625],
  [1, "pint", "l", 0.473176473],
  [4, "quarts", "gallons", 1],
  [5, "dl", "ml", 500],
  [1, "foot", "in", 12],
  [9460730472580800, "m", "km", 9460730472580.8],
  [12345678901, "g", "kg", 12345678.901],
  [0.3, "m", "ft", 0.98425196850394],
])("%d %s to %s is %d", (value, from, to, expected) => {
  expect(run({ value, from, to })).toEqual({ ok: true, output: { value: expected, unit: to } });
});

it.each([
  ["km", "kg"],
  ["parsec", "km"],
  ["constructor", "toString"],
  ["constructor", "constructor"],
  ["c", "m"],
])("%s to %s is an error", (from, to) => {
  expect(run({ value: 1, from, to })).toEqual({
    ok: false,
    error: `I can't convert ${from} to ${to}; both must be in one of these groups: m, mm, cm, km, in, ft, yd, mi; g, mg, kg, oz, lb; l, ml, cl, dl, tsp, tbsp, fl oz, cup, pt, qt, gal; k, c, f`,
  });
});

it.each([
  [-1, "K", "C"],
  [-273.16, "C", "F"],
  [-459.68, "F", "K"],
])("%d %s is below absolute zero", (value, from, to) => {
  expect(run({ value, from, to })).toEqual({ ok: false, error: `${value} ${from} is below absolute zero` });
});

it("is one of the shipped tools, checked and coerced like any other", async () => {
  const runtime = new ToolRuntime(createToolRegistry(tools));
  const good = await runtime.execute({ name: "convert_units", arguments: '{"value":"10","from":"km","to":"mi"}' });
  expect(good).toMatchObject({ ok: true, data: { value: 6.2137119223733, unit: "mi" } });
  expect((await runtime.execute({ name: "convert_units", arguments: '{"value":"ten"}' })).status).toBe("invalid_input");
});
