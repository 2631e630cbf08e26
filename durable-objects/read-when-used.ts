// Ports whose code is read when one is first used: most channels never do, and so no start waits for it.
import type { BotPorts } from "../src/discord/rest/bot-request.ts";
import type { SeeChannel } from "../src/discord/rest/channel-access.ts";
import type { createWorkersAiFetch, WorkersAi } from "../src/model/workers-ai.ts";
import type { ChannelPorts } from "./channel-ports.ts";
import type { AddedTools } from "./turn/placed-tools.ts";

/** The way to models of Workers AI: other Workers never need it. */
export function workersAiFetch(ai: WorkersAi): ReturnType<typeof createWorkersAiFetch> {
  return async (url, init) => (await import("../src/model/workers-ai.ts")).createWorkersAiFetch(ai)(url, init);
}

/** The way to servers that people added. */
export function secureFetch(web: ChannelPorts["web"], hosts: ReadonlySet<string>): AddedTools["fetch"] {
  return async (url, init) =>
    (await import("../src/tools/web/secure-fetch.ts")).createSecureFetch(web, hosts)(url, init);
}

/** The look at the channel for thoughts. */
export function seeChannel(ports: BotPorts): SeeChannel {
  return async (question, signal) =>
    (await import("../src/discord/rest/channel-access.ts")).createSeeChannel(ports)(question, signal);
}
