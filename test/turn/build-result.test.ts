// The result of a turn: its text, its details, its thoughts and their owner.
import { describe, expect, it } from "vitest";
import { buildResult, findSpeaker, theBot } from "../../src/turn/build-result.ts";
import { createTurnHarness } from "../support/turn-harness.ts";
import { end, reasoning, says, text } from "../support/turn-script.ts";

const DONE = { kind: "completed" } as const;

describe("the responses of personas", () => {
  it.each([
    ["none for blank text", { text: " \n" }, []],
    ["one for a text", { text: " Hi. " }, ["Hi."]],
    ["the text with its details below a heading", { text: "Hi.", detailsText: "more" }, ["Hi.\n\n[Details]\nmore"]],
    ["the details alone", { text: "", detailsText: "more\n" }, ["[Details]\nmore"]],
    ["only the finished part of an answer that broke off", { text: "Hi. Half an", finalText: "Hi." }, ["Hi."]],
  ])("are %s", (_, gathered, texts) => {
    expect(buildResult(DONE, gathered, null).personaResponses.map((one) => one.text)).toEqual(texts);
  });
});

describe("the owner of the thoughts", () => {
  const persona = { ...theBot, personaId: "p", personaName: "Pia" };
  it.each([
    ["no one without thoughts", "", persona, undefined],
    ["the bot itself", "hm", theBot, { type: "default" }],
    ["the persona", "hm", persona, { type: "persona", personaId: "p" }],
    [
      "the impersonated person first",
      "hm",
      { ...persona, impersonatedUserId: "7" },
      { type: "user_impersonation", userId: "7" },
    ],
  ])("is %s", (_, thoughtLog, speaker, owner) => {
    expect(buildResult(DONE, { text: "Hi.", thoughtLog }, null, speaker).thoughtLogOwner).toEqual(owner);
  });
});

describe("the speaker of a turn", () => {
  it.each([
    ["the bot itself", {}, theBot],
    [
      "its persona",
      { persona: { name: "Pia", prompt: "Be kind.", avatarUrl: null } },
      { ...theBot, personaId: "Pia", personaName: "Pia" },
    ],
    ["the person whom it impersonates", { impersonatedUserId: "7" }, { ...theBot, impersonatedUserId: "7" }],
  ])("is %s", (_, request, speaker) => {
    expect(findSpeaker(request)).toEqual(speaker);
  });
});

describe("a turn's result", () => {
  it("keeps reasoning and details out of the reply and returns both, even with tags split over chunks", async () => {
    const pieces = ["<th", "ink>hm</thi", "nk>Hel", "lo.<deta", "ils>scene</details>"].map(text);
    const w = createTurnHarness({ models: [[[reasoning("so "), ...pieces, end()]]] });
    expect(await w.end()).toMatchObject({
      text: "Hello.",
      thoughtLog: "so hm",
      personaResponses: [{ text: "Hello.\n\n[Details]\nscene" }],
    });
    expect(w.events.filter((event) => event.startsWith("show"))).toEqual(['show "Hel"', 'show "Hello."']);
  });

  it("has the newest thoughts, not those of an earlier step, and counts every step", async () => {
    const thinking = (words: string) => [reasoning(words), end(["none"])];
    const w = createTurnHarness({ models: [[thinking("first"), thinking("second"), says("Done.")]] });
    const result = await w.end();
    expect(result.thoughtLog).toBe("second");
    // The last step's tokens are stored with its answer.
    expect(w.turn().usage).toMatchObject({ inputTokens: 20, outputTokens: 4, modelCalls: 2 });
    expect(result.answer?.usage).toMatchObject({ inputTokens: 10, outputTokens: 2 });
  });
});
