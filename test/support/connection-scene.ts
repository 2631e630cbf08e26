// Harness: an endpoint whose scopes give the same answer to every request about remote servers, and record these requests. Use it for /tools,
// from Discord's request body to the answer.

import type { StoredSettings } from "../../src/channel/settings.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../src/core/access/connection-rpc.ts";
import type { ScopeCopy } from "../../src/core/access/scope-copy.ts";
import type { Interact } from "../../src/playground/discord/acts.ts";
import { PEOPLE, PLACES } from "../../src/playground/discord/world.ts";
import { scene } from "./endpoint-harness.ts";
import { OPEN_COPY, openScopes } from "./scopes.ts";

/**
 * Makes the scene. If the answer is an error, it is thrown. `before`: the server's settings until an answer changes them. `copy`: other fields of
 * the server's copy.
 */
export function connectionScene(
  answer: ConnectionAnswer | Error,
  variables: Record<string, string>,
  before: StoredSettings = {},
  copy: Partial<ScopeCopy> = {},
) {
  const asked: { scope: string; request: ConnectionRequest }[] = [];
  let settings = before;
  const world = scene({
    variables,
    scope: (name) => ({
      ...openScopes()(name),
      copy: async () => ({ ...OPEN_COPY, settings, ...copy }),
      async connection(request) {
        asked.push({ scope: name, request });
        if (answer instanceof Error) throw answer;
        if (answer.op === "changed") settings = answer.settings;
        return answer;
      },
    }),
  });
  return { world, asked };
}

/** Uses /tools as Mira, who manages the server. */
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
