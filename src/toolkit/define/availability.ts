// Decides whether a tool has everything that it needs here. Checked before tools are offered, so that no tool is offered only to be
// refused, and again at the call, because models also call tools that were never offered.

import { toolNeeds } from "../../core/copy/tool-needs.ts";
import type { Tool } from "./tool.ts";
import type { AvailableServices, ServiceName, ToolServices } from "./tool-services.ts";

/** What is available in this turn. */
export interface Availability {
  botToken: boolean;
  /** The Discord permissions of the person. */
  permissions: ReadonlySet<string>;
  modelAbilities: ReadonlySet<string>;
  /** Names of the channel's settings that have a value. */
  settings: ReadonlySet<string>;
}

/** Lists in words everything that the tool needs and that is missing here. Empty when the tool may be offered. */
export function missingFor(
  { requires = {} }: Pick<Tool, "requires">,
  there: Availability | undefined,
  services: AvailableServices,
): string[] {
  const unserved = (requires.services ?? []).filter((name) => services[name] === undefined);
  return [...unserved.map((name) => toolNeeds.services[name]), ...(there ? findLacking(requires, there) : [])];
}

/** Returns the services that the tool names, and no others. */
export function servicesFor({ requires = {} }: Pick<Tool, "requires">, services: AvailableServices): ToolServices {
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
