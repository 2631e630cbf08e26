// The gateway's object: the only one of its class, named `discord`. It holds the connection over which Discord tells of messages, and
// forwards questions to their channels. It only connects; src/gateway decides, live-gateway.ts performs.
import { DurableObject } from "cloudflare:workers";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import type { ProgramId } from "../../src/gateway/gateway-state.ts";
import type { Opening } from "./opening.ts";

/** Opens the object when it is first used. Must not throw. */
export type GatewayRoot = (ctx: DurableObjectState, env: unknown) => Opening | Promise<Opening>;

/** Makes the object's class for a composition root. Production and tests differ only in the root. */
export function gatewayObject(root: GatewayRoot) {
  return class extends DurableObject {
    #opening: Promise<Opening> | null = null;

    get opening(): Promise<Opening> {
      this.#opening ??= Promise.resolve(root(this.ctx, this.env));
      return this.#opening;
    }

    /**
     * Connects, if nothing is against it. `caller`: the program that calls; another one than this ends this life. `isStart`: forget what
     * Discord refused, and which attempts failed.
     */
    async wake(caller: ProgramId, isStart = false): Promise<GatewayStatus> {
      return (await this.opening).wake(caller, isStart);
    }

    /** What it is doing. Changes nothing. */
    async status(): Promise<GatewayStatus> {
      return (await this.opening).status();
    }

    /** Ends the connection for good, until the object is opened again: Discord shows the bot offline at once. */
    async end(): Promise<void> {
      return (await this.opening).end();
    }

    /** Keeps the object alive between Discord's events, and is the backstop of every time. May come late, early or twice. */
    override async alarm(): Promise<void> {
      await (await this.opening).alarm();
    }
  };
}

/** The production object. Its code is a module of its own: most Workers have no gateway, and no turn waits for it. */
export class GatewayObject extends gatewayObject(async (ctx, env) => {
  const { openGateway } = await import("./composition-root.ts");
  return openGateway(ctx, env);
}) {}
