// Tool: converts a measure. This is a custom tool module: it exports plain values and imports nothing; index.ts adapts it.

/** The name by which models call it. */
export const name = "convert_units";
/** Written for the model. */
export const description =
  "Converts lengths, masses, volumes (US) and temperatures exactly. Use it instead of calculating yourself.";
/** The parameters as JSON Schema. */
export const inputSchema = {
  type: "object",
  properties: {
    value: { type: "number", description: "The amount." },
    from: { type: "string", description: "The unit to convert from, such as km, lb, cup or °F." },
    to: { type: "string", description: "The unit to convert to." },
  },
  required: ["value", "from", "to"],
};
/** It only calculates. */
export const category = "safe";
/** The same question always has the same answer. */
export const hints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
/** The words that ask for it in deliberate mode. */
export const triggers = { patterns: ["\\bconvert (?:me |about )?-?\\d{1,9}"] };

/** For each dimension: how many of the first unit one of each unit is. */
const DIMENSIONS: readonly Readonly<Record<string, number>>[] = [
  { m: 1, mm: 0.001, cm: 0.01, km: 1000, in: 0.0254, ft: 0.3048, yd: 0.9144, mi: 1609.344 },
  { g: 1, mg: 0.001, kg: 1000, oz: 28.349523125, lb: 453.59237 },
  {
    ...{ l: 1, ml: 0.001, cl: 0.01, dl: 0.1, tsp: 0.00492892159375, tbsp: 0.01478676478125, "fl oz": 0.0295735295625 },
    ...{ cup: 0.2365882365, pt: 0.473176473, qt: 0.946352946, gal: 3.785411784 },
  },
];
/** Conversion to kelvin: add the offset, then multiply by the factor. */
const TEMPERATURES: Readonly<Record<string, readonly [offset: number, factor: number]>> = {
  k: [0, 1],
  c: [273.15, 1],
  f: [459.67, 5 / 9],
};
const SPELLED: Readonly<Record<string, string>> = {
  meter: "m",
  metre: "m",
  kilometer: "km",
  kilometre: "km",
  centimeter: "cm",
  millimeter: "mm",
  inch: "in",
  inches: "in",
  foot: "ft",
  feet: "ft",
  yard: "yd",
  mile: "mi",
  gram: "g",
  kilogram: "kg",
  kilo: "kg",
  ounce: "oz",
  pound: "lb",
  liter: "l",
  litre: "l",
  milliliter: "ml",
  teaspoon: "tsp",
  tablespoon: "tbsp",
  centiliter: "cl",
  deciliter: "dl",
  "fluid ounce": "fl oz",
  floz: "fl oz",
  pint: "pt",
  quart: "qt",
  gallon: "gal",
  celsius: "c",
  fahrenheit: "f",
  kelvin: "k",
};
/** More digits are noise from binary fractions. Near zero, after subtracting a temperature's offset, so are more decimals. */
const DIGITS = 14;
const DECIMALS = 9;

const UNITS = [...DIMENSIONS, TEMPERATURES].map((units) => Object.keys(units).join(", ")).join("; ");

/** Converts a measure. An unknown unit, units of different dimensions, and a temperature below absolute zero are answered with an error. */
export function run({ value, from, to }: { value: number; from: string; to: string }) {
  const [source, target] = [readUnit(from), readUnit(to)];
  const result = temperature(value, source, target) ?? measure(value, source, target);
  if (result === "too cold") return { ok: false, error: `${value} ${from} is below absolute zero` };
  if (result === null || !Number.isFinite(result))
    return { ok: false, error: `I can't convert ${from} to ${to}; both must be in one of these groups: ${UNITS}` };
  return { ok: true, output: { value: Number(result.toPrecision(DIGITS)), unit: to } };
}

function temperature(value: number, from: string, to: string): number | "too cold" | null {
  const [source, target] = [TEMPERATURES[from], TEMPERATURES[to]];
  if (!source || !target) return null;
  const kelvin = rounded((value + source[0]) * source[1]);
  return kelvin < 0 ? "too cold" : rounded(kelvin / target[1] - target[0]);
}

const rounded = (value: number): number => Number(value.toFixed(DECIMALS));

function measure(value: number, from: string, to: string): number | null {
  const units = DIMENSIONS.find((dimension) => Object.hasOwn(dimension, from) && Object.hasOwn(dimension, to));
  const [source, target] = [units?.[from], units?.[to]];
  return source === undefined || target === undefined ? null : (value * source) / target;
}

function readUnit(text: string): string {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^(?:°|deg(?:ree)?s? (?:of )?) ?/, "")
    .replaceAll(".", "");
  for (const word of [plain, plain.replace(/s$/, "")]) {
    if (Object.hasOwn(SPELLED, word)) return SPELLED[word] ?? word;
    if (Object.hasOwn(TEMPERATURES, word) || DIMENSIONS.some((units) => Object.hasOwn(units, word))) return word;
  }
  return plain;
}
