// The platform's own time, randomness and digest, for callers that bring none. The only file of the toolkit that reaches outside, and it
// does so only through Web APIs that Node and workerd share. Its timers do not keep a Node process alive.
import { hexOf } from "../../core/bytes.ts";
import type { PlatformPorts, RuntimePorts } from "./runtime-ports.ts";

const webCrypto = crypto;
const UINT32_RANGE = 2 ** 32;

/** For scripts and tests. The product passes its own time, so that an alarm can back up every wait. */
const systemPorts: PlatformPorts = {
  after(ms, callback) {
    // Node accepts only whole milliseconds, and a wait between two attempts is random.
    const timer = AbortSignal.timeout(Math.ceil(ms));
    timer.addEventListener("abort", callback, { once: true });
    return () => timer.removeEventListener("abort", callback);
  },
  clock: () => Math.round(performance.timeOrigin + performance.now()),
  random: () => (webCrypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / UINT32_RANGE,
  async sha256(text) {
    return hexOf(await webCrypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  },
};

/** Returns the given ports, and the platform's for those that are missing. Ports may be methods of an object, so each is bound to it. */
export function completePorts(ports: RuntimePorts): PlatformPorts {
  return {
    after: ports.after?.bind(ports) ?? systemPorts.after,
    clock: ports.clock?.bind(ports) ?? systemPorts.clock,
    random: ports.random?.bind(ports) ?? systemPorts.random,
    sha256: ports.sha256?.bind(ports) ?? systemPorts.sha256,
  };
}
