// Adjusts the commands in our sentences for a Worker with another name; without that they would act on the default one. Pure.
import { WORKER_NAME } from "./arguments.ts";

/** Adds the Worker's name to each command in a text that does not have one yet. */
export function withName(text: string, name: string): string {
  if (name === WORKER_NAME) return text;
  return text
    .replaceAll(/(npm run (?:setup|doctor))(?: --( --(?!name)[\w-]+))?(?! -- --name)/g, `$1 -- --name ${name}$2`)
    .replaceAll(/npx wrangler secret (?:put|delete) \w+/g, `$& --name ${name}`)
    .replaceAll("npx wrangler tail", `$& ${name}`);
}
