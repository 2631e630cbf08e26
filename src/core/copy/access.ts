// Says why a person may not use the bot here, and who can change that. Shown to that person alone.
import type { AccessRefusal } from "../access/judge.ts";

const OWN_DATA = "`/privacy` still shows and deletes what I keep about you.";

/** Returns the sentence. A reason that an owner gave is quoted unchanged. */
export function accessText(refusal: AccessRefusal): string {
  switch (refusal.reason) {
    case "paused":
      return "My owner has paused me everywhere. Try again later.";
    case "blocked":
      return `My owner has blocked you, so I can't answer you. Only my owner can change that. ${OWN_DATA}`;
    case "server_denied":
      return `My owner has switched me off in this server: ${refusal.because}\n-# ${OWN_DATA}`;
    case "private_server":
      return "I'm a private bot, and I'm not switched on in this server. My owner can switch me on by using any of my commands here.";
    case "unlisted_server":
      return "I'm a private bot, and this server is not on my list. My owner can change that with the variable ALLOWED_SERVERS.";
    case "private_visitor":
      return "I'm a private bot, and only certain people can use me here. My owner can change that with the variables VISITORS and ALLOWED_USERS.";
    case "no_owner":
      return "I'm a private bot, but I don't know yet who owns me. Whoever runs me must set the variable OWNER_IDS.";
    case "not_any_more":
      return "You can no longer use me here. Ask someone with the Manage Server permission to change that.";
    case "unchecked":
      return "I can't check right now whether you may use me here. Try again in a minute.";
    case "allowance_used_up":
      return "I've used up what Cloudflare's free plan allows today. Try again after 00:00 UTC.";
    case "limit_unchecked":
      return "I can't check right now whether my budget allows another answer. Try again in a minute.";
  }
}
