// Tool: shows the model a picture: one from the conversation or the channel around it, or a person's profile picture.

import { describe, maxLength, object, optional, string } from "zod/mini";
import { isExpired } from "../core/state/attachments.ts";
import { defineTool, type Pictures, type ToolOutcome } from "../toolkit/define/tool.ts";
import { triggers } from "./cards/triggers.ts";

/** Returns a context restart: the loop shows the picture and asks the model again. May run twice. */
export const viewImage = defineTool({
  name: "view_image",
  description:
    "Shows you a picture: one sent with an earlier question, one posted in this channel, or a person's profile picture. Use it when somebody asks about a picture that you can't see now; never describe a picture that you haven't seen.",
  input: object({
    image: optional(
      string().check(
        maxLength(200),
        describe("File name of a picture from this conversation or channel, or latest for the newest one."),
      ),
    ),
    user: optional(
      string().check(maxLength(40), describe("Whose profile picture to look at: @Name, a mention (<@…>) or an id.")),
    ),
  }),
  rules: [{ kind: "exactlyOne", of: ["image", "user"] }],
  category: "safe",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  triggers: triggers.view_image,
  // A picture can contain words, too.
  untrusted: (data) => (data as Shown).isOthers,
  requires: { services: ["pictures"], modelAbilities: ["images"] },
  execute: ({ image, user }, { pictures, userId, now, signal }) =>
    user?.trim() ? profile(pictures, user, userId, signal) : sent(pictures, image ?? "latest", now, signal),
});

/** `isOthers`: the picture was chosen by someone other than the people who ask here. */
interface Shown {
  isOthers: boolean;
}

async function sent(pictures: Pictures, wanted: string, now: number, signal: AbortSignal): Promise<ToolOutcome> {
  const name = wanted.trim().toLowerCase();
  const isWanted = ({ filename }: { filename: string }) => name === "latest" || filename.toLowerCase() === name;
  const heard = await pictures.heard(signal);
  const own = pictures.sent();
  // Several pictures may have the same name, as pasted ones do. One that was sent to the bot may also be among those that others posted;
  // the sent one then comes first, because its time is when it was received, after it was posted.
  const all = [...own, ...(heard.ok ? heard.value : [])].sort((one, other) => other.at - one.at);
  const found = all.find(isWanted);
  if (!found && !heard.ok) return heard;
  if (found && isExpired(found.url, now))
    return {
      ok: false,
      error: `Discord no longer serves ${found.filename}, which was sent too long ago; ask for it to be sent again`,
    };
  if (found) return shown(`The picture ${found.filename}, sent by ${found.sentBy}:`, found.url, found.isOthers);
  if (name === "latest") return { ok: false, error: "no picture was sent here" };
  // Names that strangers gave their pictures would be their words in a trusted result, so only the names of sent pictures are listed.
  const names = own.map(({ filename }) => filename).join(", ");
  return { ok: false, error: `there is no picture ${wanted} here; pictures sent to you: ${names || "none"}` };
}

async function profile(pictures: Pictures, user: string, askedBy: string, signal: AbortSignal): Promise<ToolOutcome> {
  const id = pictures.person(user);
  if (id === null) return { ok: false, error: `"${user}" is neither a known person's @Name nor a mention or an id` };
  const picture = await pictures.profile(id, signal);
  return picture.ok ? shown(`The profile picture of <@${id}>:`, picture.value, id !== askedBy) : picture;
}

const shown = (text: string, url: string, isOthers: boolean): ToolOutcome => ({
  ok: true,
  data: { type: "context_restart_image", enhanced_context_item: { text, images: [url] }, isOthers },
});
