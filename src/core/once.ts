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

/**
 * Makes the expression with the first call. For classes of letters, as in `\p{L}`: one that is written between slashes is read, with all the
 * letters of its classes, as soon as the file is, wherever in it.
 */
export const onceExpression = (source: string, flags: string): (() => RegExp) => once(() => new RegExp(source, flags));
