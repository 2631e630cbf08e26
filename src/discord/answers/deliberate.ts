// /deliberate and /tools: shows and changes deliberate tool mode, its window and triggers, and lists the tools that it offers.

import { changeText } from "../../core/copy/changes.ts";
import { deliberateText, toolsText, triggersText } from "../../core/copy/deliberate.ts";
import { UNAVAILABLE } from "../../core/copy/refusals.ts";
import type { DeliberateAnswer, DeliberateChange, ToolsReport } from "../../core/state/rpc.ts";
import type { Actor } from "../interactions/parse.ts";
import { privately } from "../interactions/respond.ts";
import { buildTurnRequest } from "./ask.ts";
import { type AnswerPorts, inherited, reach, surroundings } from "./channel-port.ts";
import { serverLines } from "./connections.ts";
import { isServerInstall } from "./gate.ts";
import { noteKept } from "./reach-scope.ts";

/**
 * Makes one change and shows the state of the mode. A null change is an option without a choice: it changes nothing. A person's own mode is
 * stored only if their scope has noted that.
 */
export async function changeDeliberate(
  actor: Actor,
  ports: AnswerPorts,
  change: DeliberateChange | null,
): Promise<object> {
  if (!change) return privately(changeText.choiceMissing);
  if (change.what === "me" && !(await noteKept(actor, ports))) return privately(UNAVAILABLE);
  return answered(await askDeliberate(actor, ports, change), deliberateText);
}

/** The options of `/deliberate trigger`. */
export interface TriggerOptions {
  action: "add" | "remove" | "list" | undefined;
  tool: string | undefined;
  phrase: string | undefined;
  pattern: string | undefined;
}

/** Adds or removes one trigger, or lists all triggers or those of one tool. */
export async function changeTriggers(
  actor: Actor,
  ports: AnswerPorts,
  { action, tool, phrase, pattern }: TriggerOptions,
): Promise<object> {
  if (!action) return privately(changeText.choiceMissing);
  if (action === "list")
    return answered(await askDeliberate(actor, ports, null), ({ triggers }) => triggersText(triggers, tool?.trim()));
  const text = phrase ?? pattern;
  if (!tool || text === undefined || (phrase !== undefined && pattern !== undefined))
    return privately(changeText.oneTrigger);
  const trigger = { tool: tool.trim(), kind: phrase === undefined ? "pattern" : "phrase", text } as const;
  return answered(await askDeliberate(actor, ports, { what: action, trigger }), ({ triggers }) =>
    triggersText(triggers),
  );
}

/** Lists every tool and whether it is offered now. */
export async function listTools(actor: Actor, ports: AnswerPorts): Promise<object> {
  const report = await showTools(actor, ports);
  return privately(report ? toolsText(report, await serverLines(actor, ports)) : UNAVAILABLE);
}

/** Suggests the names of the tools. */
export async function suggestTool(actor: Actor, ports: AnswerPorts): Promise<readonly string[]> {
  const report = await showTools(actor, ports);
  return report ? report.tools.map(({ name }) => name) : [];
}

const showTools = (actor: Actor, ports: AnswerPorts): Promise<ToolsReport | undefined> =>
  reach(actor, ports, "tools", async (channel) =>
    channel.tools({ trigger: buildTurnRequest(actor, ports.now()), ...(await surroundings(actor, ports)) }),
  );

const askDeliberate = (
  actor: Actor,
  ports: AnswerPorts,
  change: DeliberateChange | null,
): Promise<DeliberateAnswer | undefined> =>
  reach(actor, ports, "deliberate", async (channel) => {
    const { interactionId, userId } = actor;
    const place = { guildId: isServerInstall(actor) ? actor.guildId : null };
    return channel.deliberate({ interactionId, userId, change, ...place, ...(await inherited(actor, ports)) });
  });

function answered(
  answer: DeliberateAnswer | undefined,
  textOf: (state: Extract<DeliberateAnswer, { ok: true }>["state"]) => string,
): object {
  if (!answer) return privately(UNAVAILABLE);
  return privately(answer.ok ? textOf(answer.state) : changeText.settingRefused(answer.rule));
}
