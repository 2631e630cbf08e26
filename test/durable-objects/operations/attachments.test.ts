// A message with files while an answer runs.
import { expect, it } from "vitest";
import { createChannelHarness } from "../../support/channel-harness.ts";
import { testRequest } from "../../support/store-contract.ts";

it("a message with files does not join the running answer, which would not read them", async () => {
  const channel = createChannelHarness();
  channel.store.putSetting("follow_up", "steer");
  channel.submit({ trigger: testRequest("1", "7") });
  const file = { id: "5", filename: "a.txt", contentType: null, size: 1, url: "https://x/a", proxyUrl: "https://x/a" };
  channel.submit({ trigger: { ...testRequest("2", "7"), attachments: [file] } });
  channel.submit({ trigger: testRequest("3", "7") });
  expect(["2", "3"].map((id) => channel.store.turn(id)?.steers)).toEqual([null, "1"]);
});
