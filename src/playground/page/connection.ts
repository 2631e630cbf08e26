// The live connection to the local world: one event stream for one view, reopened whenever it breaks. Draws nothing.

import type { Seen } from "./shapes.ts";
import { followStream } from "./stream.ts";
import { buildQuery, type View } from "./world.ts";

/** Receives every state of the view, and whether the stream is connected. */
export type Listener = { seen(seen: Seen): void; connection(connected: boolean): void };

/** Follows a view until the returned function is called. */
export const follow = (view: View, listener: Listener): (() => void) =>
  followStream(
    () => `/local/events?${buildQuery(view)}`,
    (data) => listener.seen(JSON.parse(data)),
    (connected) => listener.connection(connected),
  );
