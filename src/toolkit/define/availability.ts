// Whether a tool has what it needs here: asked before tools are offered, so that nothing is advertised that would be refused, and
// again at the call, because models also call what they were never offered.

import { toolNeeds } from "../../core/copy/tool-needs.ts";
import type { Tool } from "./tool.ts";
import type { ServiceName, ToolServices } from "./tool-services.ts";

/** What there is in this turn. */
export interface Availability {
  botToken: boolean;
  /** Discord permissions of the person. */
  permissions: ReadonlySet<string>;
  modelAbilities: ReadonlySet<string>;
  /** Names of the channel's settings that are set. */
  settings: ReadonlySet<string>;
}

/** Everything the tool needs and there is not, in words; empty when it may be offered. */
export function missingFor(
  { requires = {} }: Pick<Tool, "requires">,
  there: Availability | undefined,
  services: Partial<ToolServices>,
): string[] {
  const unserved = (requires.services ?? []).filter((name) => services[name] === undefined);
  return [...unserved.map((name) => toolNeeds.services[name]), ...(there ? findLacking(requires, there) : [])];
}

/** Those of the services that the tool names. */
export function servicesFor({ requires = {} }: Pick<Tool, "requires">, services: Partial<ToolServices>): ToolServices {
  const named = (requires.services ?? []).map((name: ServiceName) => [name, services[name]]);
  return Object.fromEntries(named) as ToolServices;
}

function findLacking(requires: NonNullable<Tool["requires"]>, there: Availability): string[] {
  const lacking = (words: (name: string) => string, wanted: readonly string[] = [], has: ReadonlySet<string>) =>
    wanted.filter((name) => !has.has(name)).map(words);
  return [
    ...(requires.botToken && !there.botToken ? [toolNeeds.botToken] : []),
    ...lacking(toolNeeds.permission, requires.permissions, there.permissions),
    ...lacking(toolNeeds.modelAbility, requires.modelAbilities, there.modelAbilities),
    ...lacking(toolNeeds.setting, requires.settings, there.settings),
  ];
}
