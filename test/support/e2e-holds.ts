// Lets a test hold requests in transit, before they take effect or before their answer returns. So the test knows exactly what is in progress
// when it kills the runtime.

/** The facts by which a test chooses a request. `path` has no query. */
export interface Passing {
  method: string;
  path: string;
  body: string;
}

/** Which request to hold, and on which side of its effect. */
export interface Hold {
  side: "before" | "after";
  matches: (request: Passing) => boolean;
}

/** A hold that is set. */
export interface Held {
  /** Whether a request is held, or was held until its client was gone. */
  isReached(): boolean;
  /** Lets the request continue. */
  release(): void;
}

/** Wraps a handler so that tests can hold its requests. */
export interface Holds {
  /** Holds the next request that matches, and no other. */
  hold(wish: Hold): Held;
  /** The handler with the holds. A held request whose client is gone never takes effect. */
  over(handler: (request: Request) => Promise<Response>): (request: Request) => Promise<Response>;
}

/** Never sent anywhere; nginx's status for a client that closed its connection. */
const CLIENT_GONE = 499;

interface Waiting extends Hold {
  reached: boolean;
  released: Promise<void>;
}

/** Makes a set of holds. */
export function createHolds(): Holds {
  const waiting: Waiting[] = [];
  const take = (passing: Passing) => {
    const index = waiting.findIndex((one) => one.matches(passing));
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  };
  return {
    hold(wish) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const one: Waiting = { ...wish, reached: false, released };
      waiting.push(one);
      return { isReached: () => one.reached, release };
    },
    over: (handler) => async (request) => {
      const body = await request.clone().text();
      const held = take({ method: request.method, path: new URL(request.url).pathname, body });
      if (!held) return handler(request);
      const answer = held.side === "after" ? await handler(request) : null;
      held.reached = true;
      await Promise.race([held.released, gone(request.signal)]);
      if (!request.signal.aborted) return answer ?? handler(request);
      // Nobody will read the answer's body, so it ends here; it may already have ended in an error.
      await answer?.body?.cancel().catch(() => {});
      return new Response(null, { status: CLIENT_GONE });
    },
  };
}

const gone = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
