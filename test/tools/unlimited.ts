// The limits of an object that has sent nothing yet, for the bot's requests in tests.
import { RateLimiter } from "../../src/discord/rest/rate-limiter.ts";

/** A separate rate limiter, and a clock that advances by a minute each time it is read, so that no window is ever full. */
export function unlimited() {
  let now = 0;
  const clock = () => {
    now += 60_000;
    return now;
  };
  return { clock, rateLimiter: new RateLimiter(clock, { info() {}, warn() {}, error() {} }) };
}
