// What is made when it is first needed. A schema, or an expression over classes of letters, takes a Worker's time at every start, and most
// starts never use it.

/** Makes the value with the first call, and returns that one ever after. Where `make` throws, the next call tries again. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
