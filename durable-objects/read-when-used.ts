// Ports whose code is loaded when they are first used: most channels never need it, so no start should wait for it.
import type { BotPorts } from "../src/discord/rest/bot-request.ts";
import type { SeeChannel } from "../src/discord/rest/channel-access.ts";
import type { createWorkersAiFetch, WorkersAi } from "../src/model/workers-ai.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import type { AddedTools } from "./turn/placed-tools.ts";

/** Reaches the models of Workers AI. Workers without such a model never need it. */
export function workersAiFetch(ai: WorkersAi): ReturnType<typeof createWorkersAiFetch> {
  return async (url, init) => (await import("../src/model/workers-ai.ts")).createWorkersAiFetch(ai)(url, init);
}

/** Reaches the servers that people added. */
export function secureFetch(web: ChannelPorts["web"], hosts: ReadonlySet<string>): AddedTools["fetch"] {
  return async (url, init) =>
    (await import("../src/tools/web/secure-fetch.ts")).createSecureFetch(web, hosts)(url, init);
}

/** Finds out whether a person can see the channel for thoughts. */
export function seeChannel(ports: BotPorts): SeeChannel {
  return async (question, signal) =>
    (await import("../src/discord/rest/channel-access.ts")).createSeeChannel(ports)(question, signal);
}
