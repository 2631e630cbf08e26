// People, and where they talk: servers with their roles and members, and channels. Types only.

/** A human. */
export interface Person {
  id: string;
  name: string;
  /** They installed the application for themselves, so they can use it anywhere. */
  installed: boolean;
}

/** A role of a server. The @everyone role has the server's id. */
export interface Role {
  id: string;
  name: string;
  permissions: bigint;
}

/** A server in which the application is installed. */
export interface Server {
  id: string;
  name: string;
  ownerId: string;
  roles: Role[];
  /** The roles of each member, by person id; the application is a member too. */
  members: Map<string, string[]>;
}

/** A channel's exception for a role (`type` 0) or a member (1). */
export interface Overwrite {
  id: string;
  type: 0 | 1;
  allow: bigint;
  deny: bigint;
}

/** A channel. `type` is Discord's: 0 text, 1 DM with the bot, 3 group DM of people, 11 public thread. */
export interface Channel {
  id: string;
  name: string;
  type: 0 | 1 | 3 | 11;
  /** The server of a text channel or thread. */
  serverId?: string;
  parentId?: string;
  overwrites?: Overwrite[];
  /** The people of a DM or group DM. */
  recipientIds?: string[];
}
