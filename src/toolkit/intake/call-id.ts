// The id of a call.

/** The call's id, or for a call without one its position in the turn. Ids are for people and providers and never used as keys. */
export const callIdFrom = (id: string | null | undefined, name: string, round: number, index: number): string =>
  id?.trim() ? id : `${name}-${round}-${index}`;
