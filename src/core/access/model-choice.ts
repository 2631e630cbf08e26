// Which models a place may use. Pure.

/** A model as far as that goes. */
export interface ServerModel {
  /** Ids of the only servers that may use it; missing: everyone may. */
  onlyServers?: readonly string[];
}

/** May turns of this server use the model? `guildId` is null outside servers, where a model that is for some servers is not used. */
export const isModelFor = ({ onlyServers }: ServerModel, guildId: string | null): boolean =>
  onlyServers === undefined || (guildId !== null && onlyServers.includes(guildId));
