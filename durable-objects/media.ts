// The models that draw and listen, as ports of one channel. Their code is loaded on first use: most channels never need it.
import type { Config, ModelConfig } from "../src/config.ts";
import type { ReadFile } from "../src/discord/rest/attachment-reader.ts";
import type { WorkersAi } from "../src/model/workers-ai.ts";
import { untilAborted } from "../src/toolkit/run/until-aborted.ts";
import type { ChannelPorts } from "./channel-ports.ts";

const GIVEN_UP = { ok: false, error: "aborted", mayCost: true } as const;

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Creates the ports; one is missing if no model is configured for it. `web` reaches addresses that others name; `ai` is the binding, if there
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
        const { createSecureFetch } = await import("../src/tools/web/secure-fetch.ts");
        return makePicture(reach(imageModel), prompt, createSecureFetch(web, fetchUrlPrivateHosts), signal);
      },
    }),
    ...(transcribeModel && {
      listen: async (sound, signal) => {
        const bytes = await readFile(sound, signal);
        if (!bytes) return { ok: false, error: "Discord did not provide the file" };
        const { transcribe } = await import("../src/model/transcribe.ts");
        const { filename: name, contentType, seconds } = sound;
        const file = { name, type: contentType ?? "audio/ogg", bytes, seconds };
        // A connection may ignore the signal. Whatever it may still cost is counted.
        return untilAborted(signal, transcribe(reach(transcribeModel), file, signal)).catch(() => GIVEN_UP);
      },
    }),
  };
}
