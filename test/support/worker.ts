// The Worker of the workers and crash lanes: the product's own application and object classes with a test's composition root, whose
// outside is the test's world for that channel (workerd-harness.ts). It is never part of the production bundle.
import { env } from "cloudflare:workers";
import { channelObject } from "../../durable-objects/channel.ts";
import { createChannelPorts, production } from "../../durable-objects/composition-root.ts";
import { createOpeningPorts } from "../../durable-objects/gateway/composition-root.ts";
import { gatewayObject } from "../../durable-objects/gateway/gateway-object.ts";
import { Opening } from "../../durable-objects/gateway/opening.ts";
import { createScopePorts, type ScopeState } from "../../durable-objects/scope/composition-root.ts";
import { Scope } from "../../durable-objects/scope/scope.ts";
import { scopeObject } from "../../durable-objects/scope/scope-object.ts";
import { createApp } from "../../src/app.ts";
import type { ChannelStore } from "../../src/channel/store.ts";
import { parseConfig, readProgram } from "../../src/config.ts";
import type { ChannelPort } from "../../src/discord/answers/channel-port.ts";
import type { FindScope, ScopePort } from "../../src/discord/answers/scope-port.ts";
import { type Point, readPoints } from "./faults.ts";
import { notInspected, OPEN_COPY, openScopes } from "./scopes.ts";
import { scriptedDiscord } from "./scripted-gateway.ts";
import { type Life, openWorkerdHarness } from "./workerd-harness.ts";
import { channelOfScope, type ScopeUnderTest } from "./world-scopes.ts";

/** The channel's object in its world, and those of its visitors. */
export const ChannelObject = channelObject((ctx) => {
  const world = openWorkerdHarness(ctx.id.name?.split(":")[0] ?? "");
  const callPoint = readPoints(world.faults, ctx);
  const life = { settled: () => ctx.storage.sync(), callPoint, point: world.scopes ? () => {} : callPoint };
  const parts = { ...createChannelPorts(ctx, world.variables, world.outside(life)), ...world.overrides(life) };
  const erase = () => {
    life.point("before the end of the storage");
    parts.erase();
    life.point("after the end of the storage");
  };
  return { ...parts, store: dyingStore(parts.store, life.point), erase };
});

/** The gateway's object in front of a scripted Discord. */
export const GatewayObject = gatewayObject(
  (ctx, env) => new Opening(createOpeningPorts(ctx, withGateway(env), { ...production, ...scriptedDiscord })),
);

const withGateway = (variables: unknown) => ({
  ...(variables as object),
  DISCORD_BOT_TOKEN: "a token",
  DISCORD_GATEWAY: "on",
});

/** The program that the gateway's object runs. */
export function gatewayProgram(): ReturnType<typeof readProgram> {
  const parsed = parseConfig(withGateway(env));
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return readProgram(parsed.config, env);
}

/** Wraps a store so that every commit is a fault point: a life that ends there has stored nothing of the transaction. */
function dyingStore(store: ChannelStore, point: Point): ChannelStore {
  return {
    ...store,
    transaction: (work) =>
      store.transaction(() => {
        const result = work();
        point("write");
        return result;
      }),
  };
}

/** A scope's object in the world that its name belongs to. It can also die between a commit and its answer. */
export class ScopeObject extends scopeObject(openDyingScope) {
  override async copyFor(...asked: Parameters<ScopePort["copyFor"]>) {
    return this.#answered(await super.copyFor(...asked));
  }

  override async lease(...asked: Parameters<ScopePort["lease"]>) {
    return this.#answered(await super.lease(...asked));
  }

  override async report(...asked: Parameters<ScopePort["report"]>) {
    return this.#answered(await super.report(...asked));
  }

  override async person(...asked: Parameters<ScopePort["person"]>) {
    return this.#answered(await super.person(...asked));
  }

  /** The people whom its copies name. Not a fault point. */
  async named(): ReturnType<ScopeUnderTest["named"]> {
    await this.scope;
    const ids = (query: string) =>
      this.ctx.storage.sql
        .exec(query)
        .toArray()
        .map(({ user_id: id }) => String(id));
    const withFacts = ids("SELECT DISTINCT user_id FROM own_facts");
    return { leftOut: ids("SELECT user_id FROM left_out"), withFacts };
  }

  override async forgetPerson(...asked: Parameters<ScopePort["forgetPerson"]>) {
    return this.#answered(await super.forgetPerson(...asked));
  }

  async #answered<Answer>(answer: Answer): Promise<Answer> {
    const { settled, point } = lifeOfScope(this.ctx);
    await settled();
    point("before an answer");
    return answer;
  }
}

const worldOfScope = (ctx: DurableObjectState) => openWorkerdHarness(channelOfScope(ctx.id.name ?? ""));

function lifeOfScope(ctx: DurableObjectState): Life {
  const point = readPoints(worldOfScope(ctx).faults, ctx);
  return { settled: () => ctx.storage.sync(), point, callPoint: point };
}

function openDyingScope(ctx: DurableObjectState): Scope {
  const { scopes, variables, outside } = worldOfScope(ctx);
  const life = lifeOfScope(ctx);
  if (!scopes) throw new Error("this world has no scopes");
  const bindings = { SCOPE: { getByName: scopes.seenFrom(life) }, CHANNEL: { getByName: scopes.channelsFrom(life) } };
  const storage = dyingStorage(ctx.storage, life.point);
  const waitUntil = (work: Promise<void>) => ctx.waitUntil(work);
  return new Scope(createScopePorts({ id: ctx.id, storage, waitUntil }, { ...variables, ...bindings }, outside(life)));
}

/** Wraps a storage so that every commit, and every write outside a transaction, is a fault point. */
function dyingStorage(storage: DurableObjectStorage, point: Point): ScopeState["storage"] {
  let isWithin = false;
  return {
    sql: {
      exec(query, ...values) {
        const rows = storage.sql.exec(query, ...values);
        if (!isWithin && !query.startsWith("SELECT")) point("write");
        return rows;
      },
    },
    transactionSync: (work) =>
      storage.transactionSync(() => {
        isWithin = true;
        try {
          const result = work();
          point("write");
          return result;
        } finally {
          isWithin = false;
        }
      }),
    setAlarm: (at) => storage.setAlarm(at),
    deleteAlarm: () => storage.deleteAlarm(),
    deleteAll: () => storage.deleteAll(),
  };
}

export default {
  async fetch(request, env) {
    const { channel } = await request.clone().json<{ channel?: { id: string } }>();
    const app = createApp({
      fetch: async () => new Response(null, { status: 404 }),
      config: parseConfig(channel ? openWorkerdHarness(channel.id).variables : env),
      variables: env,
      channel: (channelId) => env.CHANNEL.getByName(channelId) as unknown as ChannelPort,
      now: channel ? openWorkerdHarness(channel.id).time.now : Date.now,
      logError: () => {},
      inspected: notInspected,
      gatewayStatus: async () => "off",
      scope: scopesOf(channel?.id),
      countRefused: null,
      after: () => () => {},
    });
    return app.fetch(request);
  },
} satisfies ExportedHandler<{ CHANNEL: DurableObjectNamespace }>;

/** Reads of the gate's copy are not fault points. A turn learns from the copy that a limit applies, and whom the server's scope names. */
function scopesOf(channelId: string | undefined): FindScope {
  const { scopes, variables } = channelId === undefined ? { scopes: null } : openWorkerdHarness(channelId);
  if (!scopes) return openScopes();
  const stub = (name: string) => scopes.stub(name) as unknown as ScopeUnderTest;
  const isLimited = "MAX_USD_PER_DAY" in variables;
  // If a life ends while it opens, another one follows.
  const named = async (name: string, tries = 5): ReturnType<ScopeUnderTest["named"]> =>
    stub(name)
      .named()
      .catch((error: unknown) => (tries > 1 ? named(name, tries - 1) : Promise.reject(error)));
  return (name) => ({
    ...openScopes()(name),
    copy: async () => ({ ...OPEN_COPY, isLimited, ...(await named(name)) }),
    person: (request) => stub(name).person(request),
    forgetPerson: (userId, exceptChannelId) => stub(name).forgetPerson(userId, exceptChannelId),
  });
}
