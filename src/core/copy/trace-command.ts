// What `npm run trace` prints besides the trace itself. It runs in Node; the Worker contains none of it.

/** What `npm run trace` prints when there is no trace, and its usage, which says where the token is from. */
export const traceFaults = {
  usage: `Usage: INSPECT_TOKEN=… npm run trace -- <url> <turn>

Prints what happened in one turn, and when.
  <url>   where the bot runs: https://parley.example.workers.dev
  <turn>  the turn's id as /bot trace shows it, or <channel>/<turn> for one in a channel that was not used recently.
          The address of a turn's page alone works, too.

INSPECT_TOKEN must be set to the bot's own; the playground needs none.`,
  noUrl: "The address and the turn are missing. Write both.",
  noTurn: "The turn is missing. Write it after the address.",
  tooMuch: "There is more than an address and a turn. Remove the rest.",
  noToken: "INSPECT_TOKEN is not set. Set it to the value that the bot has, and try again.",
  oddToken: "INSPECT_TOKEN has a character that no request can contain. Set it to one line of letters and digits.",
  badUrl: (url: string) => `${url} is not an address. Use one like https://parley.example.workers.dev.`,
  unreachable: (url: string, why: string) =>
    `${url} can't be reached: ${why}. Use the address where the bot runs, and try again.`,
  off: (url: string) =>
    `There is no inspector at ${url}. Use the address where the bot runs; the bot must have INSPECT_TOKEN set.`,
  wrongToken: "The bot has a different INSPECT_TOKEN. Set it to the same value here.",
  unknownTurn: (turn: string) =>
    `There is no turn ${turn}. Only the newest turns are kept. Use <channel>/<turn> if its channel was not used recently.`,
  failed: (status: number) => `The bot answered with status ${status}. Try again.`,
};
