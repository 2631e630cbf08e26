// The gateway's object: the only one of its class, named `discord`. It keeps the connection over which Discord sends messages, and
// forwards questions to their channels. It is only glue: src/gateway decides, live-gateway.ts performs.
import { DurableObject } from "cloudflare:workers";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import type { ProgramId } from "../../src/gateway/gateway-state.ts";
import type { Opening } from "./opening.ts";

/** Opens the object when it is first used. Must not throw. */
export type GatewayRoot = (ctx: DurableObjectState, env: unknown) => Opening | Promise<Opening>;

/** Creates the object's class for a composition root. Production and tests differ only in the root. */
export function gatewayObject(root: GatewayRoot) {
  return class extends DurableObject {
    #opening: Promise<Opening> | null = null;

    get opening(): Promise<Opening> {
      this.#opening ??= Promise.resolve(root(this.ctx, this.env));
      return this.#opening;
    }

    /**
     * Connects, if nothing prevents it. `caller`: the program that calls; if it is a different one, this life ends. `isStart`: forget what
     * Discord refused, and which attempts failed.
     */
    async wake(caller: ProgramId, isStart = false): Promise<GatewayStatus> {
      return (await this.opening).wake(caller, isStart);
    }

    /** Reports what the gateway is doing. Changes nothing. */
    async status(): Promise<GatewayStatus> {
      return (await this.opening).status();
    }

    /** Ends the connection for good, until the object is opened again: Discord shows the bot offline at once. */
    async end(): Promise<void> {
      return (await this.opening).end();
    }

    /** Keeps the object alive between Discord's events, and is the backstop of every timer. May come late, early or twice. */
    override async alarm(): Promise<void> {
      await (await this.opening).alarm();
    }
  };
}

/** The production object. Its code is a separate module: most Workers have no gateway, and no turn should wait for it. */
export class GatewayObject extends gatewayObject(async (ctx, env) => {
  const { openGateway } = await import("./composition-root.ts");
  return openGateway(ctx, env);
}) {}
