// Values as a storage keeps them: neither the writer nor a reader can change what is stored.

/** Objects that were made here and so are frozen with everything in them. */
const ours = new WeakSet<object>();

const isPlain = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/**
 * Makes a frozen copy of JSON and bytes. Parts that are frozen copies already are reused, so that copying a record with one changed field is
 * quick. Throws if there is something that no storage keeps, such as a function. Bytes can't be frozen, only copied.
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return typeof value === "function" ? structuredClone(value) : value;
  if (ours.has(value)) return value;
  if (!isPlain(value)) return structuredClone(value);
  const copy = Array.isArray(value)
    ? value.map(frozen)
    : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, frozen(part)]));
  ours.add(copy);
  return Object.freeze(copy) as Value;
}
