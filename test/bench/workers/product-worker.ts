// The product as the benchmark runs it: the production Worker over objects with two more tools, one that answers 2 KB and one that never
// answers. It counts what Cloudflare bills: rows, alarms that are set, and requests to objects.
import { object, string } from "zod/mini";
import { channelObject } from "../../../durable-objects/channel.ts";
import { createChannelPorts, production } from "../../../durable-objects/composition-root.ts";
import type { SqliteChannelStore } from "../../../durable-objects/store/sqlite.ts";
import type { ScopeCopy } from "../../../src/core/access/scope-copy.ts";
import type { TurnReport } from "../../../src/core/money/report.ts";
import type { Receipt, Submission } from "../../../src/core/state/rpc.ts";
import product, { GatewayObject, ScopeObject as ProductScope } from "../../../src/index.ts";
import { createToolRegistry } from "../../../src/toolkit/define/registry.ts";
import { defineTool, type Tool } from "../../../src/toolkit/define/tool.ts";
import { buildRegistry } from "../../../src/toolkit/define/tool-cards.ts";
import { shipped } from "../../../src/tools/cards/shipped.ts";
import type { Billed } from "./billed.ts";

interface Env {
  CHANNEL: DurableObjectNamespace<ChannelObject>;
  SCOPE: DurableObjectNamespace<ScopeObject>;
  GATEWAY: DurableObjectNamespace<GatewayObject>;
}

const RESULT = { pages: "x".repeat(2000) };

const tool = (name: string, isReading: boolean, execute: Tool["execute"]): Tool =>
  defineTool({
    name,
    description: "Looks a page up.",
    input: object({ page: string() }),
    category: isReading ? "safe" : "async",
    hints: { readOnly: isReading, destructive: false, idempotent: isReading, openWorld: false },
    execute,
  });
const benchTools = [
  tool("look_up", true, () => ({ ok: true, data: RESULT })),
  // Its outcome is unknown after a death, so the model is asked and not the tool.
  tool("wait", false, () => new Promise(() => {})),
];

const billed: Billed = { objectRequests: 0, alarmRows: 0, rows: 0 };

/** Counts every setting and deletion of this object's alarm. */
function countAlarms(storage: DurableObjectStorage): void {
  const { setAlarm, deleteAlarm } = storage;
  storage.setAlarm = (...args) => {
    billed.alarmRows++;
    return setAlarm.apply(storage, args);
  };
  storage.deleteAlarm = (...args) => {
    billed.alarmRows++;
    return deleteAlarm.apply(storage, args);
  };
}

const registry = buildRegistry([...shipped.entries(), ...createToolRegistry(benchTools).entries()]);

/** The product's object with the benchmark's tools. */
export class ChannelObject extends channelObject((ctx, env) => {
  countAlarms(ctx.storage);
  return createChannelPorts(ctx, env, { ...production, registry });
}) {
  override async submit(submission: Submission): Promise<Receipt> {
    billed.objectRequests++;
    return super.submit(submission);
  }

  override async alarm(): Promise<void> {
    billed.objectRequests++;
    await super.alarm();
  }

  /** The rows that this object has written in this life, without its alarm's. */
  async rowsWritten(): Promise<number> {
    return (this.channel.ports.store as SqliteChannelStore).rowsWritten();
  }
}

export { GatewayObject };

/** The product's scope. Its few rows for each report are included in the share of the channel's turn. */
export class ScopeObject extends ProductScope {
  override async copy(channelId?: string): Promise<ScopeCopy> {
    billed.objectRequests++;
    return super.copy(channelId);
  }

  override async report(reports: readonly TurnReport[]): Promise<string[]> {
    billed.objectRequests++;
    return super.report(reports);
  }

  override async alarm(): Promise<void> {
    billed.objectRequests++;
    await super.alarm();
  }
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/bench/billed") return product.fetch(request, env);
    const rows = await env.CHANNEL.getByName(searchParams.get("channel") ?? "").rowsWritten();
    return Response.json({ ...billed, rows } satisfies Billed);
  },
  scheduled: product.scheduled,
} satisfies ExportedHandler<Env>;
