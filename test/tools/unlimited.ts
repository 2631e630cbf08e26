// The limits of an object that has sent nothing yet, for requests of the bot in tests.
import { Traffic } from "../../src/discord/rest/rate-limiter.ts";

/** A traffic of its own, and a clock that goes on by a minute at each look, so that no window is ever full. */
export function unlimited() {
  let now = 0;
  const clock = () => {
    now += 60_000;
    return now;
  };
  return { clock, traffic: new Traffic(clock, { info() {}, warn() {}, error() {} }) };
}
