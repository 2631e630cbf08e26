// Weather for a number of requests that a test plans: the same answer, or the same trouble, and then clear again.
import { answerIn, type Forecast } from "./forecast.ts";
import type { Weather } from "./rest.ts";
import type { LogEntry } from "./world.ts";

/** Answers the next `count` requests that match with copies of `response`. */
export function failures(
  count: number,
  response: Response,
  matches: (request: Readonly<LogEntry>) => boolean,
): Weather {
  let left = count;
  return (request) => {
    if (left === 0 || !matches(request)) return null;
    left -= 1;
    return response.clone();
  };
}

/** Bad weather for the next `count` requests that match. */
export function brewed(forecast: Forecast, count: number, matches: (request: Readonly<LogEntry>) => boolean): Weather {
  let left = count;
  return (request) => {
    if (left === 0 || !matches(request)) return null;
    left -= 1;
    return answerIn(forecast);
  };
}
