// The models that draw and listen, as one channel reaches them. Their code is read when it is first used: most channels never do.
import type { Config, ModelConfig } from "../src/config.ts";
import type { ReadFile } from "../src/discord/rest/attachment-reader.ts";
import type { WorkersAi } from "../src/model/workers-ai.ts";
import { createSecureFetch } from "../src/tools/web/secure-fetch.ts";
import type { ChannelPorts } from "./channel-ports.ts";

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Makes the ports; one is missing where no model is configured for it. `web` asks addresses that others name; `ai` is the binding, if there
 * is one.
 */
export function createMedia(
  { imageModel, transcribeModel, fetchUrlPrivateHosts }: Config,
  { fetch, web }: { fetch: Fetch; web: Fetch },
  { readFile }: { readFile: ReadFile },
  ai: WorkersAi | undefined,
): Pick<ChannelPorts, "drawPicture" | "listen"> {
  const reach = ({ provider, ...model }: ModelConfig) => ({ ...model, fetch, ...(provider && { ai }) });
  return {
    ...(imageModel && {
      drawPicture: async (prompt, signal) => {
        const { makePicture } = await import("../src/model/make-picture.ts");
        return makePicture(reach(imageModel), prompt, createSecureFetch(web, fetchUrlPrivateHosts), signal);
      },
    }),
    ...(transcribeModel && {
      listen: async (sound, signal) => {
        const bytes = await readFile(sound, signal);
        if (!bytes) return { ok: false, error: "Discord did not hand the file out" };
        const { transcribe } = await import("../src/model/transcribe.ts");
        const { filename: name, contentType, seconds } = sound;
        return transcribe(reach(transcribeModel), { name, type: contentType ?? "audio/ogg", bytes, seconds }, signal);
      },
    }),
  };
}
