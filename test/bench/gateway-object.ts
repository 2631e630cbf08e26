// The Worker of the gateway's benchmark: the product's gateway, which counts its alarms and the rows that it writes, and channels that
// accept what they hear and do nothing with it.
import { createOpeningPorts } from "../../durable-objects/gateway/composition-root.ts";
import { gatewayObject } from "../../durable-objects/gateway/gateway-object.ts";
import type { GatewayPorts } from "../../durable-objects/gateway/gateway-ports.ts";
import { Opening } from "../../durable-objects/gateway/opening.ts";
import { keyOf } from "../../src/gateway/forwarded-event.ts";
import type { HeardEvent, HeardReceipt } from "../../src/gateway/heard.ts";
import type { GatewayAction } from "../../src/gateway/inputs-and-actions.ts";
import product, { ChannelObject as ProductChannel, ScopeObject } from "../../src/index.ts";
import type { GatewayFigures } from "./gateway-figures.ts";

interface Env {
  CHANNEL: DurableObjectNamespace<ChannelObject>;
  SCOPE: DurableObjectNamespace<ScopeObject>;
  GATEWAY: DurableObjectNamespace<GatewayObject>;
}

export { ScopeObject };

/** Counted outside the class, because its ports are built before its own fields. */
const figures: GatewayFigures = { bornAt: 0, alarms: 0, alarmsSet: 0, sessionRows: 0, questionRows: 0 };

const counting = (ports: GatewayPorts): GatewayPorts => ({
  ...ports,
  store: {
    ...ports.store,
    keep(actions: readonly GatewayAction[]) {
      const before = ports.store.rowsWritten();
      ports.store.keep(actions);
      const saves = actions.filter(({ kind }) => kind === "save").length;
      figures.sessionRows += saves;
      figures.questionRows += ports.store.rowsWritten() - before - saves;
    },
  },
  setAlarm(at) {
    figures.alarmsSet++;
    return ports.setAlarm(at);
  },
});

/** The product's gateway, with counters. */
export class GatewayObject extends gatewayObject((ctx, env) => {
  Object.assign(figures, { bornAt: Date.now(), alarms: 0, alarmsSet: 0, sessionRows: 0, questionRows: 0 });
  const ports = createOpeningPorts(ctx, env);
  return new Opening({ ...ports, open: () => counting(ports.open()) });
}) {
  override async alarm(): Promise<void> {
    figures.alarms++;
    await super.alarm();
  }

  async figures(): Promise<GatewayFigures> {
    return figures;
  }
}

/** A channel that accepts everything and stays silent. */
export class ChannelObject extends ProductChannel {
  readonly #heard: string[] = [];

  override async hear(heard: HeardEvent): Promise<HeardReceipt> {
    this.#heard.push(keyOf(heard.event));
    return { answerTo: "mention_and_reply" };
  }

  /** The names of the events so far, in order. */
  async heard(): Promise<string[]> {
    return this.#heard;
  }
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/bench/figures") return Response.json(await env.GATEWAY.getByName("discord").figures());
    if (pathname === "/bench/heard")
      return Response.json(await env.CHANNEL.getByName(searchParams.get("channel") ?? "").heard());
    return product.fetch(request, env);
  },
  scheduled: product.scheduled,
} satisfies ExportedHandler<Env>;
