// The Worker of the lanes that start a runtime: the production Worker over objects with some extra tools. These tools take
// effect in the test's process, at TOOL_SERVER_URL, which is also notified of each report to a scope, before and after the scope takes it. Extra
// routes show a test which life an object is in and what the scopes have counted.
import { channelObject } from "../../durable-objects/channel.ts";
import { createChannelPorts, production } from "../../durable-objects/composition-root.ts";
import { openUsageStore } from "../../durable-objects/scope/usage-store.ts";
import { DEPLOYMENT } from "../../src/core/access/scope-copy.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import { keyOf } from "../../src/gateway/forwarded-event.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import product, { GatewayObject, ScopeObject as ProductScope } from "../../src/index.ts";
import { createToolRegistry } from "../../src/toolkit/define/registry.ts";
import { buildRegistry } from "../../src/toolkit/define/tool-cards.ts";
import { shipped } from "../../src/tools/cards/shipped.ts";
import type { CountedOnAllDays } from "./counted-on-all-days.ts";
import { type ToolServer, testTools } from "./tools.ts";

interface Env {
  CHANNEL: DurableObjectNamespace<ChannelObject>;
  SCOPE: DurableObjectNamespace<ScopeObject>;
  GATEWAY: DurableObjectNamespace<GatewayObject>;
  TOOL_SERVER_URL: string;
}

/** The answer of the test's route: the object's current life and the time of its alarm. */
export interface ObjectLife {
  instance: string;
  alarmAt: number | null;
}

/** The product's object with the test's tools. */
export class ChannelObject extends channelObject((ctx, env) =>
  createChannelPorts(ctx, env, {
    ...production,
    registry: buildRegistry([...shipped.entries(), ...createToolRegistry(testTools(toolServer(env as Env))).entries()]),
  }),
) {
  /** Reports the name of each event to the test at `/tool/heard`. */
  override async hear(heard: HeardEvent): Promise<HeardReceipt> {
    await post(this.env as Env, "heard", keyOf(heard.event));
    return super.hear(heard);
  }

  async life(): Promise<ObjectLife> {
    return { instance: this.channel.ports.instance, alarmAt: await this.ctx.storage.getAlarm() };
  }
}

export { GatewayObject };

/** The product's scope. A test can hold a report before and after it is taken, at `/tool/report/asked/<scope>` and `/tool/report/taken/<scope>`. */
export class ScopeObject extends ProductScope {
  override async report(reports: readonly TurnReport[]): Promise<string[]> {
    const tell = (side: string) => post(this.env as Env, `report/${side}/${this.ctx.id.name}`, "");
    await tell("asked");
    const taken = await super.report(reports);
    await tell("taken");
    return taken;
  }

  /** Counts all days instead of the periods that people see, because a month may end during a test. */
  async counted(userId: string, channelId: string): Promise<CountedOnAllDays> {
    await this.scope;
    const usage = openUsageStore(this.ctx.storage);
    const [first, last] = ["0000-01-01", "9999-12-31"];
    const servers = usage.dearest("server", first, last, Number.MAX_SAFE_INTEGER).map(({ id, sum }) => [id, sum]);
    return {
      user: usage.sum("user", userId, first, last),
      channel: usage.sum("channel", channelId, first, last),
      all: usage.sum("all", "", first, last),
      servers: Object.fromEntries(servers),
    };
  }
}

/** Passes the signal to no request, so that a tool that ignores its signal does so over HTTP too. */
const toolServer = (env: Env): ToolServer => ({
  effect: (key) => post(env, "effect", key),
  hold: () => post(env, "hold", ""),
});

async function post({ TOOL_SERVER_URL }: Env, path: string, body: string): Promise<void> {
  const response = await fetch(`${TOOL_SERVER_URL}/tool/${path}`, { method: "POST", body });
  await response.body?.cancel();
}

/** What the deployment has counted, and what the named scope has counted for the named person and channel. */
async function counted({ SCOPE }: Env, named: (name: string) => string): Promise<object> {
  const countedBy = (scope: string) => SCOPE.getByName(scope).counted(named("user"), named("channel"));
  return { deployment: await countedBy(DEPLOYMENT), scope: await countedBy(named("scope")) };
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const named = (name: string) => searchParams.get(name) ?? "";
    if (pathname === "/test/life") return Response.json(await env.CHANNEL.getByName(named("channel")).life());
    if (pathname === "/test/usage") return Response.json(await counted(env, named));
    return product.fetch(request, env);
  },
  scheduled: product.scheduled,
} satisfies ExportedHandler<Env>;
