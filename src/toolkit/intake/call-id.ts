// The id of a call.

/** Returns the call's id or, if it has none, one made from its position in the turn. Ids are for people and providers and are never used as keys. */
export const callIdFrom = (id: string | null | undefined, name: string, round: number, index: number): string =>
  id?.trim() ? id : `${name}-${round}-${index}`;
