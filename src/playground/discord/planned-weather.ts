// Weather that a test plans for a number of requests: the same answer or the same trouble for each, and clear weather after them.
import { answerIn, type Forecast } from "./forecast.ts";
import type { Weather } from "./rest.ts";
import type { LogEntry } from "./world.ts";

type Matches = (request: Readonly<LogEntry>) => boolean;

/** Answers the next `count` requests that match with copies of `response`. */
export const failures = (count: number, response: Response, matches: Matches): Weather =>
  planned(count, matches, () => response.clone());

/** Makes bad weather for the next `count` requests that match. */
export const brewed = (forecast: Forecast, count: number, matches: Matches): Weather =>
  planned(count, matches, () => answerIn(forecast));

function planned(count: number, matches: Matches, answer: () => ReturnType<Weather>): Weather {
  let left = count;
  return (request) => {
    if (left === 0 || !matches(request)) return null;
    left -= 1;
    return answer();
  };
}
