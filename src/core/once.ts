// Makes values when they are first needed. A schema, or an expression over classes of letters, costs a Worker time at every start, and most
// starts never use it.

/** Makes the value at the first call and returns the same one from then on. If `make` throws, the next call tries again. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Makes the expression at the first call. For classes of letters, as in `\p{L}`: a literal between slashes is compiled, with all the letters
 * of its classes, as soon as the file is loaded, wherever in the file it is.
 */
export const onceExpression = (source: string, flags: string): (() => RegExp) => once(() => new RegExp(source, flags));
