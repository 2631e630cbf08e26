// What people read when they ask us to remember a fact about themselves.
import type { PersonAnswer } from "../access/person-rpc.ts";
import type { ForgetReach } from "./privacy.ts";

/** Writes the answer to `/remember me`. `empty`: there were no words. */
export function rememberedText(
  answer: Extract<PersonAnswer, { op: "remembered" | "full" }> | { op: "empty" },
  reach: ForgetReach,
): string {
  const where = reach === "server" ? "in this server" : "outside servers";
  const when = `${reach === "server" ? "from now on here and " : ""}within a minute everywhere ${where}`;
  if (answer.op === "empty") return "There is nothing to remember. Write it in `text`.";
  if (answer.op === "full" && answer.of === "people")
    return `I keep facts like this for at most ${answer.limit} people ${where}, and the list is full. Someone else has to delete theirs first.`;
  if (answer.op === "full")
    return `I keep at most ${answer.limit} facts like this. Ask me to forget one, or use \`/privacy show\` to see them.`;
  return `Remembered as number ${answer.number}. I read it with your questions, ${when}, and with no one else's. My answer may mention it, and others may see my answer.`;
}
