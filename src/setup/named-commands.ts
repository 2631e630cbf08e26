// The commands in our sentences, for a bot that has another name: as they are written they would reach the bot without one. Pure.
import { WORKER_NAME } from "./arguments.ts";

/** Gives each command in a text the Worker's name, but for those that have one. */
export function withName(text: string, name: string): string {
  if (name === WORKER_NAME) return text;
  return text
    .replaceAll(/(npm run (?:setup|doctor))(?: --( --(?!name)[\w-]+))?(?! -- --name)/g, `$1 -- --name ${name}$2`)
    .replaceAll(/npx wrangler secret (?:put|delete) \w+/g, `$& --name ${name}`)
    .replaceAll("npx wrangler tail", `$& ${name}`);
}
