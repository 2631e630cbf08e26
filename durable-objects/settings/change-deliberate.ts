// Reads and changes deliberate mode in one channel, for its command.

import { answerOnce } from "../../src/channel/answer-once.ts";
import { changeDeliberate } from "../../src/channel/change-deliberate.ts";
import { deliberateState } from "../../src/channel/deliberate.ts";
import type { DeliberateAnswer, DeliberateRequest } from "../../src/core/state/rpc.ts";
import type { ToolRegistry } from "../../src/toolkit/define/tool-cards.ts";
import type { ChannelPorts } from "../channel-ports.ts";
import { deliberateInput } from "./deliberate.ts";
import { noteParent } from "./effective-settings.ts";

type DeliberatePorts = Pick<ChannelPorts, "store" | "config" | "registry">;

/** Reads or changes deliberate mode, in one transaction. Repeating an interaction returns the same answer. */
export function changeDeliberateMode(
  ports: DeliberatePorts,
  request: DeliberateRequest,
  registry: ToolRegistry,
): DeliberateAnswer {
  const { store } = ports;
  const { interactionId, userId, change, parentSettings } = request;
  return answerOnce(store, change ? interactionId : undefined, (): DeliberateAnswer => {
    noteParent(ports, parentSettings);
    if (change) {
      const names = registry.list().map(({ name }) => name);
      const changed = changeDeliberate(deliberateInput(ports), change, names);
      if (!changed.ok) return changed;
      for (const [key, value] of Object.entries(changed.write)) store.putSetting(key, value);
    }
    return { ok: true, state: deliberateState(deliberateInput(ports), userId) };
  });
}
