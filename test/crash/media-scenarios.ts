// The scenarios with models that transcribe and draw, which cost money each time: a sound is transcribed again only by a life that doesn't have
// its words, and a picture is never drawn a second time.
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { SPOKEN } from "../../src/playground/model/media.ts";
import type { ModelRequest } from "../../src/turn/ports.ts";
import type { Answer } from "../support/scripted-model.ts";
import { question, rounds, type Scenario } from "./scenario.ts";

const { theo: THEO } = PEOPLE;
/** The time limits for listening (a minute) and drawing (two) would pass in a quarter of a second of fast time. */
const PATIENT_FACTOR = 50;
const SOUND = { filename: "voice-message.ogg", contentType: "audio/ogg", text: "a sound" };
/** Two seconds at six cents a minute, and a picture at four cents. */
const [SOUND_MICRO_USD, PICTURE_MICRO_USD] = [2000, 40_000] as const;
const models = [
  { id: "scripted 1", model: "m1" },
  { id: "ears", model: "ears", unitPrice: 0.06 },
  { id: "artist", model: "artist", unitPrice: 0.04 },
];
const variables = { MODELS: JSON.stringify(models), TRANSCRIBE_MODEL: "ears", IMAGE_MODEL: "artist" };

/** Says what it heard. A failed request only costs it the words. */
function listener(request: ModelRequest): Answer {
  const asked = question(request);
  if (!asked.includes("\nwhat?")) return { texts: ["fine"] };
  return { texts: [asked.includes(`[transcript of ${SOUND.filename}]\n${SPOKEN}`) ? "Eleven." : "I heard nothing."] };
}

/** Draws once, and says whether the picture is there. */
function painter(request: ModelRequest): Answer {
  if (!question(request).endsWith("\ngo")) return { texts: ["fine"] };
  if (rounds(request) === 0) return { calls: [{ name: "generate_image", args: { prompt: "a dot" } }] };
  const isThere = request.messages.at(-1)?.text.includes('"drawn":true');
  return { texts: [isThere ? "Here it is." : "It may not have been drawn."] };
}

/** All of them. */
export const mediaScenarios: Scenario[] = [
  {
    name: "a sound that comes with a command",
    factor: PATIENT_FACTOR,
    answerTo: listener,
    play: (stage) => stage.say(THEO, "what?", SOUND),
    full: { "what?": `> 🎙️ ${SPOKEN}\nEleven.` },
    sounds: 1,
    mediaMicroUsd: SOUND_MICRO_USD,
    variables,
  },
  {
    name: "a sound that comes with a message",
    factor: PATIENT_FACTOR,
    answerTo: listener,
    async play(stage) {
      stage.world.discord.configure({ proxyHandsOut: true });
      await stage.write(THEO, "what?", SOUND);
    },
    full: { "what?": `> 🎙️ ${SPOKEN}\nEleven.` },
    sounds: 1,
    mediaMicroUsd: SOUND_MICRO_USD,
    variables: { ...variables, DISCORD_BOT_TOKEN: APPLICATION.botToken },
  },
  {
    name: "a picture that a model draws",
    factor: PATIENT_FACTOR,
    answerTo: painter,
    play: (stage) => stage.say(THEO, "go"),
    full: { go: "Here it is." },
    fullWhenInterrupted: { go: "It may not have been drawn." },
    files: { go: ["drawing.png"] },
    maxEffects: 1,
    mediaMicroUsd: PICTURE_MICRO_USD,
    variables,
  },
];
