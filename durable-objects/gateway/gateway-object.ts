// The gateway's object: the only one of its class, named `discord`. It holds the connection over which Discord tells of messages, and
// forwards questions to their channels. It only connects; src/gateway decides, live-gateway.ts performs.
import { DurableObject } from "cloudflare:workers";
import type { GatewayStatus } from "../../src/core/state/gateway-status.ts";
import type { ProgramId } from "../../src/gateway/inputs-and-actions.ts";
import { createOpeningPorts } from "./composition-root.ts";
import { Opening, type OpeningPorts } from "./opening.ts";

/** Builds what the object is opened with. Must not throw. */
export type GatewayRoot = (ctx: DurableObjectState, env: unknown) => OpeningPorts;

/** Makes the object's class for a composition root. Production and tests differ only in the root. */
export function gatewayObject(root: GatewayRoot) {
  return class extends DurableObject {
    readonly opening = new Opening(root(this.ctx, this.env));

    /** Connects, if nothing is against it. `caller`: the program that calls; another one than this ends this life. `isStart`: forget what Discord refused. */
    wake(caller: ProgramId, isStart = false): Promise<GatewayStatus> {
      return this.opening.wake(caller, isStart);
    }

    /** What it is doing. Changes nothing. */
    status(): Promise<GatewayStatus> {
      return this.opening.status();
    }

    /** Ends the connection for good, until the object is opened again: Discord shows the bot offline at once. */
    end(): Promise<void> {
      return this.opening.end();
    }

    /** Keeps the object alive between Discord's events, and is the backstop of every time. May come late, early or twice. */
    override async alarm(): Promise<void> {
      await this.opening.alarm();
    }
  };
}

/** The production object. */
export class GatewayObject extends gatewayObject(createOpeningPorts) {}
