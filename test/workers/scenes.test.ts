// Personas and scenes inside the runtime: who speaks, under which name, in which order, and where they are stopped.
import { describe, expect, it } from "vitest";
import { APPLICATION } from "../../src/playground/discord/local-discord.ts";
import { openButtons, withoutQuestion } from "../support/shown-answer.ts";
import { MIRA, THEO, type WorkerdHarness } from "../support/workerd-harness.ts";
import { call, crash, held, quiet, runAlarm, text, until, world } from "./arrange.ts";

const use = (w: WorkerdHarness, as: string, path: string, options: Record<string, string>) => {
  const [name = "", subcommand] = path.split(" ");
  return w.discord.interact({
    kind: "command",
    channel: w.channelId,
    as,
    name,
    options,
    ...(subcommand !== undefined && { subcommand }),
  });
};
const hosted = () => world({ variables: { DISCORD_BOT_TOKEN: APPLICATION.botToken } });
async function withPersonas(w: WorkerdHarness, ...names: string[]): Promise<WorkerdHarness> {
  for (const name of names)
    await use(w, MIRA, "persona create", {
      name,
      prompt: `You are ${name}.`,
      avatar: `https://example.org/${name}.png`,
    });
  return w;
}
/** The messages in the channel with their authors. */
const heard = (w: WorkerdHarness) =>
  w.discord
    .messages(w.channelId, MIRA)
    .filter(({ author, ephemeral }) => author.bot && !ephemeral)
    .map(
      ({ author, content, components }) =>
        `${author.name}: ${withoutQuestion(content)}${openButtons(components).length > 0 ? " [buttons]" : ""}`,
    );
const routes = (w: WorkerdHarness) => w.discord.log.map(({ method, route }) => `${method} ${route}`);

describe("a scene", () => {
  it("of three speaks in order, each under its own name and picture, below a header that names them", async () => {
    const w = await withPersonas(hosted(), "Ada", "Bob", "Cy");
    w.model.script([text("I begin."), text("I disagree."), text("I end.")]);
    await use(w, THEO, "scene", { personas: "Ada, Bob, cy", prompt: "Is it late?" });
    await quiet(w);
    expect(heard(w)).toEqual(["Parley: -# Scene: Ada, Bob, Cy", "Ada: I begin.", "Bob: I disagree.", "Cy: I end."]);
    const bob = w.discord.messages(w.channelId, MIRA).find(({ author }) => author.name === "Bob");
    expect(bob?.author.avatarUrl).toBe("https://example.org/Bob.png");
    const posts = w.discord.log.filter(({ method, route }) => method === "POST" && route.startsWith("/webhooks"));
    expect(posts.map(({ body }) => Object.hasOwn(body as object, "message_reference"))).toEqual([false, false, false]);
    expect(w.discord.violations).toEqual([]);
    expect(w.discord.pinged()).toEqual([]);
    expect(routes(w).filter((route) => route === "POST /channels/{channel}/webhooks")).toHaveLength(1);
  });

  it("shows each persona the others' words as theirs, and which persona it is", async () => {
    const w = await withPersonas(hosted(), "Ada", "Bob");
    w.model.script([text("I begin."), text("I disagree.")]);
    await use(w, THEO, "scene", { personas: "Ada, Bob", prompt: "Is it late?" });
    await quiet(w);
    const [system, ...conversation] = w.lastRequest();
    expect(conversation).toEqual([
      "user: [Theo · u1]\nIs it late?",
      "user: [Ada · bot]\nI begin.",
      "user: [It is Bob's turn to speak.]",
    ]);
    expect(system).toContain("You speak as Bob, and only as Bob.\nYou are Bob.");
    expect(system).toContain("This is a scene with Ada.");
  });

  it("gives the next persona the question while the first one waits for an approval", async () => {
    const w = await withPersonas(hosted(), "Ada", "Bob", "Cy");
    w.model.script([call("create_thread", { name: "Cats" }), text("I don't mind."), text("Nor do I.")]);
    await use(w, THEO, "scene", { personas: "Ada, Bob, Cy", prompt: "Open a thread?" });
    await until("Cy", () => heard(w).includes("Cy: Nor do I."));
    await quiet(w);
    expect(w.lastRequest().slice(1)).toEqual([
      "user: [Theo · u1]\nOpen a thread?",
      "user: [It is Bob's turn to speak.]",
      "user: [Bob · bot]\nI don't mind.",
      "user: [It is Cy's turn to speak.]",
    ]);
  });

  it("ends as a whole when its button stops it midway, keeps what was said, and loses the button", async () => {
    const w = await withPersonas(hosted(), "Ada", "Bob", "Cy");
    w.model.script([text("I begin."), held("I was just")]);
    const { messageId = "" } = await use(w, THEO, "scene", { personas: "Ada, Bob, Cy", prompt: "Is it late?" });
    await until("Bob", () => heard(w).some((line) => line.startsWith("Bob: I was")));
    // The header and the personas' messages go to Discord by different routes.
    await until("the header", () => heard(w)[0] === "Parley: -# Scene: Ada, Bob, Cy [buttons]");
    await w.click(THEO, messageId, "Stop");
    await quiet(w);
    expect(heard(w)).toEqual([
      `Parley: -# Scene: Ada, Bob, Cy\n-# Taken out of the queue by <@${THEO}>.`,
      "Ada: I begin.",
      `Bob: I was just\n\n-# Stopped by <@${THEO}>.`,
    ]);
    expect(w.model.log).toHaveLength(2);
  });

  it("is refused with the existing names if one is unknown, and nothing starts", async () => {
    const w = await withPersonas(hosted(), "Ada");
    const { seen } = await use(w, THEO, "scene", { personas: "Ada, Zed", prompt: "Is it late?" });
    expect([seen, heard(w), w.model.log.length]).toEqual(["message", [], 0]);
    expect(w.answers(THEO).at(-1)).toBe("There is no persona named **Zed**. Choose one of: Ada.");
  });

  it("continues after a death of the object, and says nothing twice", async () => {
    const w = await withPersonas(hosted(), "Ada", "Bob");
    w.model.script([text("I begin."), held("I was just"), text("I was just thinking.")]);
    await use(w, THEO, "scene", { personas: "Ada, Bob", prompt: "Is it late?" });
    await until("Bob", () => heard(w).some((line) => line.startsWith("Bob: I was")));
    await crash();
    await runAlarm(w);
    await quiet(w);
    expect(heard(w)).toEqual(["Parley: -# Scene: Ada, Bob", "Ada: I begin.", "Bob: I was just thinking."]);
  });

  it("without webhooks is spoken by the bot, with the name in bold before each message", async () => {
    const w = await withPersonas(hosted(), "Ada", "Bob");
    w.discord.configure({ botManagesWebhooks: false });
    w.model.script([text("I begin."), text("I end.")]);
    await use(w, THEO, "scene", { personas: "Ada, Bob", prompt: "Is it late?" });
    await quiet(w);
    expect(heard(w)).toEqual(["Parley: -# Scene: Ada, Bob", "Parley: **Ada:** I begin.", "Parley: **Bob:** I end."]);
  });

  it.each([true, false])(
    "lets nobody speak before all messages of the previous speaker are there (webhooks: %s)",
    async (managed) => {
      const w = await withPersonas(hosted(), "Ada", "Bob");
      w.discord.configure({ botManagesWebhooks: managed });
      w.model.script([text(["one", "two", "three"].map((word) => `${word} `.repeat(300)).join("\n\n")), text("last")]);
      await use(w, THEO, "scene", { personas: "Ada, Bob", prompt: "Is it late?" });
      await quiet(w);
      const words = heard(w).map((line) => line.match(/one|two|three|last/)?.[0] ?? "header");
      expect(words).toEqual(["header", "one", "two", "three", "last"]);
    },
  );

  it("makes another webhook if its own was deleted", async () => {
    const w = await withPersonas(hosted(), "Ada");
    w.model.script([text("One."), text("Two.")]);
    await use(w, THEO, "chat", { message: "hi", persona: "Ada" });
    await quiet(w);
    let isGone = true;
    w.discord.addWeather(({ method, path }) => {
      if (!isGone || method !== "POST" || !path.includes("wait=true")) return null;
      isGone = false;
      return Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
    });
    await use(w, THEO, "chat", { message: "again", persona: "Ada" });
    await quiet(w);
    expect(heard(w).filter((line) => line.startsWith("Ada"))).toEqual(["Ada: One.", "Ada: Two."]);
  });

  it("posts the rest with another webhook if its own was deleted in the middle of an answer", async () => {
    const w = await withPersonas(hosted(), "Ada");
    w.model.script([held("I was just")]);
    const { messageId = "" } = await use(w, THEO, "scene", { personas: "Ada", prompt: "Is it late?" });
    await until("Ada", () => heard(w).some((line) => line.startsWith("Ada: I was")));
    let isGone = true;
    w.discord.addWeather(({ method, path }) => {
      if (!isGone || method !== "PATCH" || !path.includes("/webhooks/") || path.includes("@original")) return null;
      isGone = false;
      return Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
    });
    await w.click(THEO, messageId, "Stop");
    await quiet(w);
    expect(heard(w)).toEqual(["Parley: -# Scene: Ada", "Ada: I was just", `Ada: -# Stopped by <@${THEO}>.`]);
  });
});

it("words whose posting is uncertain are never posted again; the header carries them as a file", async () => {
  const w = await withPersonas(hosted(), "Ada", "Bob");
  w.model.script([text("I begin."), text("I end.")]);
  w.discord.addWeather(({ method, path, body }) => {
    const isAdas = method === "POST" && path.includes("wait=true") && JSON.stringify(body).includes("begin");
    return isAdas ? Promise.reject(new TypeError("cut")) : null;
  });
  await use(w, THEO, "scene", { personas: "Ada, Bob", prompt: "Is it late?" });
  await quiet(w);
  expect(heard(w)).toEqual([
    "Parley: **Ada:** I begin.\n\n-# Scene: Ada, Bob\n-# The full answer is in the attached file.",
    "Bob: I end.",
  ]);
  const files = w.discord.messages(w.channelId, MIRA).flatMap(({ attachments }) => attachments);
  expect(files.map(({ filename, text: words }) => [filename, words])).toEqual([["answer.md", "**Ada:** I begin."]]);
});

describe("a persona", () => {
  it("answers once if it is asked for, and always after it is put to use", async () => {
    const w = await withPersonas(hosted(), "Ada");
    w.model.script([text("As Ada."), text("As myself."), text("As Ada again.")]);
    await use(w, THEO, "chat", { message: "hi", persona: "Ada" });
    await quiet(w);
    await w.say(THEO, "hi");
    await quiet(w);
    await use(w, MIRA, "persona use", { name: "Ada" });
    await w.say(THEO, "hi");
    await quiet(w);
    expect(heard(w).filter((line) => !line.includes("-#"))).toEqual([
      "Ada: As Ada.",
      "Parley: As myself.",
      "Ada: As Ada again.",
    ]);
  });

  it("asks for approval under its own name, with buttons of its own, and continues when approved", async () => {
    const w = await withPersonas(hosted(), "Ada");
    w.model.script([call("create_thread", { name: "Cats" }), text("It is open.")]);
    await use(w, THEO, "chat", { message: "open a thread", persona: "Ada" });
    await until("the request", () => heard(w).some((line) => line.startsWith("Ada") && line.endsWith("[buttons]")));
    const adas = w.discord.messages(w.channelId, MIRA).find(({ author }) => author.name === "Ada");
    await w.click(THEO, adas?.id ?? "", "Approve");
    await until("the end", () => heard(w).includes("Ada: It is open."));
    await quiet(w);
    expect(w.discord.violations).toEqual([]);
  });

  it("without webhooks answers in the reply itself, after its name, which is not part of its words", async () => {
    const w = await withPersonas(hosted(), "Ada");
    w.discord.configure({ botManagesWebhooks: false });
    w.model.script([text("Hello."), text("Hello again.")]);
    await use(w, THEO, "chat", { message: "hi", persona: "Ada" });
    await quiet(w);
    await use(w, THEO, "chat", { message: "and?", persona: "Ada" });
    await quiet(w);
    expect(heard(w)).toEqual(["Parley: **Ada:** Hello.", "Parley: **Ada:** Hello again."]);
    expect(w.lastRequest().slice(1)).toEqual(["user: [Theo · u1]\nhi", "assistant: Hello.", "user: [Theo · u1]\nand?"]);
  });
});
