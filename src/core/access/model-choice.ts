// Decides which models a place may use. Pure.

/** The part of a model that decides this. */
export interface ServerModel {
  /** The ids of the only servers that may use it; missing: everyone may. */
  onlyServers?: readonly string[];
}

/** Whether turns of this server may use the model. `guildId` is null outside servers, where a model reserved for some servers is not used. */
export const isModelFor = ({ onlyServers }: ServerModel, guildId: string | null): boolean =>
  onlyServers === undefined || (guildId !== null && onlyServers.includes(guildId));
