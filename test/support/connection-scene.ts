// Harness: a scene whose scopes give one answer to everything about remote servers, and what they were asked. Use it for /tools, from
// Discord's request body to the answer.

import type { StoredSettings } from "../../src/channel/settings.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../src/core/access/connection-rpc.ts";
import type { Interact } from "../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { scene } from "./endpoint-harness.ts";
import { OPEN_COPY, openScopes } from "./scopes.ts";

/** Makes the scene. An error is thrown instead of an answer. `settings`: those of the server. `isLimited`: its use is. */
export function connectionScene(
  answer: ConnectionAnswer | Error,
  variables: Record<string, string>,
  settings: StoredSettings = {},
  isLimited = false,
) {
  const asked: { scope: string; request: ConnectionRequest }[] = [];
  const world = scene({
    variables,
    scope: (name) => ({
      ...openScopes()(name),
      copy: async () => ({ ...OPEN_COPY, settings, isLimited }),
      async connection(request) {
        asked.push({ scope: name, request });
        if (answer instanceof Error) throw answer;
        return answer;
      },
    }),
  });
  return { world, asked };
}

/** A use of /tools by Mira, who manages the server. */
export const useTools = (subcommand: string, options: object, over: Partial<Interact> = {}): Interact =>
  ({
    as: PEOPLE.mira,
    channel: PLACES.general,
    kind: "command",
    name: "tools",
    subcommand,
    options,
    ...over,
  }) as Interact;
