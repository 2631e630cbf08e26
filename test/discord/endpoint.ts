// The Worker's application before a channel's object that only records and answers as told, with the local Discord in front.
import { type AppPorts, createApp } from "../../src/app.ts";
import { explainSettings } from "../../src/channel/settings.ts";
import { parseConfig } from "../../src/config.ts";
import type { Receipt, StatusReport, StopAnswer, StopRequest, Submission } from "../../src/core/messages.ts";
import type { SettingAnswer, SettingChange } from "../../src/discord/channel-port.ts";
import type { Interact } from "../../src/playground/discord/acts.ts";
import { APPLICATION, createLocalDiscord, type LocalDiscord } from "../../src/playground/discord/local-discord.ts";
import { PEOPLE } from "../../src/playground/discord/world.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../../src/playground/key.ts";

/** The time at which everything here happens. */
export const NOW = Date.UTC(2030, 0, 1);

/** A complete configuration. */
export const VARIABLES = {
  DISCORD_PUBLIC_KEY: DEVELOPMENT_PUBLIC_KEY_HEX,
  DISCORD_APPLICATION_ID: APPLICATION.id,
  DISCORD_API_BASE_URL: "http://127.0.0.1:1/api/v10",
  OPENAI_API_KEY: "the-key",
};
/** What the object says of itself. */
export const NOTHING_RUNS: StatusReport = { running: null, queue: [PEOPLE.mira], parked: [] };

/** What reached an object, and which. */
export type Call = { to: string } & (
  | { submit: Submission }
  | { stop: StopRequest }
  | { change: SettingChange }
  | { ask: "status" | "reset" | "settings" | "explain" }
);

/** The application and all that a test looks at. */
export interface Scene {
  discord: LocalDiscord;
  /** What reached a channel's object, in order. */
  calls: Call[];
  /** What was logged, in order. */
  errors: unknown[];
  dispatch(request: Request): Promise<Response>;
  /** Somebody does something; the answer that the Worker gave, as JSON. */
  answered(act: Interact): Promise<unknown>;
}

/** Sets the scene; an answer that is an Error is an object that can't be reached; behind the receipts all is accepted. */
export function scene(
  answers: {
    receipts?: (Receipt | Error)[];
    stop?: StopAnswer | Error;
    change?: SettingAnswer;
    variables?: object;
  } = {},
): Scene {
  const calls: Call[] = [];
  const errors: unknown[] = [];
  const receipts = [...(answers.receipts ?? [])];
  const or = <Answer>(answer: Answer | Error): Promise<Answer> =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  const channel: AppPorts["channel"] = (to) => ({
    submit(submit) {
      calls.push({ to, submit });
      return or(receipts.shift() ?? { kind: "accepted" });
    },
    stop(stop) {
      calls.push({ to, stop });
      return or(answers.stop ?? { result: "already_finished" });
    },
    status() {
      calls.push({ to, ask: "status" });
      return Promise.resolve(NOTHING_RUNS);
    },
    reset() {
      calls.push({ to, ask: "reset" });
      return Promise.resolve(12);
    },
    settings() {
      calls.push({ to, ask: "settings" });
      return Promise.resolve({ follow_up: "queue" });
    },
    explain(parent = {}) {
      calls.push({ to, ask: "explain" });
      return Promise.resolve(explainSettings({ own: {}, parent, modelIds: ["default"] }));
    },
    change(change) {
      calls.push({ to, change });
      return or(answers.change ?? { ok: false, rule: "`key` must be true or false." });
    },
  });
  const app = createApp({
    config: parseConfig(answers.variables ?? VARIABLES),
    channel,
    now: () => NOW,
    logError: (line, detail) => errors.push({ line, ...detail }),
  });
  let last: Response | null = null;
  const dispatch = async (request: Request) => {
    const response = await app.fetch(request);
    last = response.clone();
    return response;
  };
  const discord = createLocalDiscord({ now: () => NOW, dispatch });
  const answered = async (act: Interact) => {
    await discord.interact(act);
    return last?.json();
  };
  return { discord, calls, errors, dispatch, answered };
}
