// Values as a storage keeps them: nobody can change what is stored, neither whoever wrote it nor whoever reads it.

/** Objects that were made here, and so are frozen with all that is in them. */
const ours = new WeakSet<object>();

const isPlain = (value: object): boolean => Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/**
 * A frozen copy of JSON and bytes. What is a frozen copy already stays what it is, so that a record of which one field has changed is
 * copied in a moment. Throws where there is something that no storage keeps, such as a function. Bytes can't be frozen, only copied.
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
