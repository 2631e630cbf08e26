// What /bot status says about the gateway.
import { expect, it } from "vitest";
import { gatewayLine, gatewayRefusals, gatewayStatusText } from "../../../src/core/copy/gateway.ts";

it.each([
  ["off", null],
  ["connected", "I hear mentions, replies and direct messages."],
  ["unknown", "I can't tell whether I hear mentions, replies and direct messages."],
  ["resuming", "I don't hear mentions, replies or direct messages at the moment: I am connecting to Discord."],
  ["waiting", "I don't hear mentions, replies or direct messages at the moment: I am connecting to Discord."],
] as const)("a gateway that is %s", (status, told) => {
  expect([gatewayLine(status), gatewayStatusText(status)]).toEqual([told, status]);
});

it("no message is heard if the channel's setting is off, whatever the gateway's state", () => {
  const told = (["connected", "resuming", "unknown", "off"] as const).map((status) => gatewayLine(status, true));
  const line = "In this channel I answer only commands, because `answer_to` is `off`.";
  expect(told).toEqual([line, line, line, null]);
});

it("a refused gateway says why", () => {
  const why = gatewayRefusals.bad_token;
  expect(gatewayLine({ refused: "bad_token" })).toBe(
    `I don't hear mentions, replies or direct messages at the moment: ${why}`,
  );
  expect(gatewayStatusText({ refused: "bad_token" })).toBe(`refused: ${why}`);
});
